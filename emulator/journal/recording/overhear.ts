// Copies the bytes of a body for recorder.ts. Copying does not change the stream's pace, order, back pressure or errors.
import type { Wire } from '../../core/request-recording.ts'
import type { KeptBytes } from './kept-bytes.ts'

/**
 * Copies the bytes that the HTTP parser pushes into the request. The copy does not depend on how the service reads the body.
 */
export function overhearIncoming(incoming: Wire['incoming'], kept: KeptBytes): void {
  const push = incoming.push
  incoming.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk === null) kept.end()
    else kept.add(chunk, encoding)
    return push.call(incoming, chunk, encoding)
  }
}

/** Copies the bytes that are written to the response. */
export function overhearOutgoing(outgoing: Wire['outgoing'], kept: KeptBytes): void {
  const copying = (method: (...args: never[]) => unknown, isLast: boolean) =>
    function (this: unknown, ...args: unknown[]): unknown {
      kept.add(args[0], args[1])
      if (isLast) kept.end()
      return Reflect.apply(method, outgoing, args)
    }
  Object.assign(outgoing, {
    write: copying(outgoing.write, false),
    end: copying(outgoing.end, true),
  })
}

/** Copies a body that does not come through a socket. Returns the stream that the service must read instead. */
export function overhearStream(
  body: ReadableStream<Uint8Array>,
  kept: KeptBytes,
): ReadableStream<Uint8Array> {
  const through = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      kept.add(chunk)
      controller.enqueue(chunk)
    },
    flush: () => kept.end(),
  })
  return body.pipeThrough(through)
}
