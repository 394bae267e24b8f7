// Copies bytes of a stream in passing; pace, order, back pressure and errors of the stream stay as they are.
import type { Wire } from '../../core/request-recording.ts'
import type { KeptBytes } from './kept-bytes.ts'

/** Copies what the socket's parser pushes into the request, independent of how it is read later. */
export function overhearIncoming(incoming: Wire['incoming'], kept: KeptBytes): void {
  const push = incoming.push
  incoming.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk === null) kept.end()
    else kept.hear(chunk, encoding)
    return push.call(incoming, chunk, encoding)
  }
}

/** Hears what is written to the answer. */
export function overhearOutgoing(outgoing: Wire['outgoing'], kept: KeptBytes): void {
  const hearing = (method: (...args: never[]) => unknown, isLast: boolean) =>
    function (this: unknown, ...args: unknown[]): unknown {
      kept.hear(args[0], args[1])
      if (isLast) kept.end()
      return Reflect.apply(method, outgoing, args)
    }
  Object.assign(outgoing, {
    write: hearing(outgoing.write, false),
    end: hearing(outgoing.end, true),
  })
}

/** The same for a body without a socket: a stream that hands on what it is asked for. */
export function overhearStream(
  body: ReadableStream<Uint8Array>,
  kept: KeptBytes,
): ReadableStream<Uint8Array> {
  const through = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      kept.hear(chunk)
      controller.enqueue(chunk)
    },
    flush: () => kept.end(),
  })
  return body.pipeThrough(through)
}
