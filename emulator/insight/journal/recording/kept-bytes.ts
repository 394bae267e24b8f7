// Copies the bytes of bodies for recorder.ts: keeps the first bytes of each body, and counts all bytes. Copying does not change a
// stream's pace, order, back pressure or errors.
import type { Wire } from '../../../core/plain-http.ts'

/** Maximum number of bytes kept of one body. */
export const KEPT_BODY_BYTES: number = 64 << 10

export class KeptBytes {
  readonly #isText: boolean
  readonly #onKept: (bytes: number) => void
  readonly #announced: string | null
  #chunks: Uint8Array[] = []
  #keptBytes = 0
  #sizeBytes = 0
  #isWhole = false
  #isForgotten = false

  /**
   * @param onKept called with the size of each kept chunk, and with a negative size when chunks are dropped
   * @param announced the body's Content-Length. A smaller number of received bytes shows that the handler did not read the whole
   * body.
   */
  constructor(isText: boolean, onKept: (bytes: number) => void, announced: string | null = null) {
    this.#isText = isText
    this.#onKept = onKept
    this.#announced = announced
  }

  /**
   * Returns a body that another emulator kept.
   * @param text the kept part of the body; `undefined` for a body that is not text
   * @param sizeBytes size of the whole body
   */
  static of(text: string | undefined, sizeBytes: number, isComplete: boolean): KeptBytes {
    const body = new KeptBytes(text !== undefined, () => {})
    if (text !== undefined) body.add(text)
    if (isComplete) body.end()
    // The length of the text cannot be used, because a masked text can be shorter or longer than the body was.
    else body.#sizeBytes = sizeBytes
    return body
  }

  /** Number of received bytes, including the bytes that are not kept. */
  get sizeBytes(): number {
    return this.#sizeBytes
  }

  get keptBytes(): number {
    return this.#keptBytes
  }

  get isText(): boolean {
    return this.#isText
  }

  /** Whether the whole body was received and kept. */
  get isComplete(): boolean {
    const isAll = this.#announced === null || this.#sizeBytes >= Number(this.#announced)
    return this.#isWhole && isAll && this.#keptBytes === this.#sizeBytes
  }

  add(chunk: unknown, encoding?: unknown): void {
    const bytes = bytesOf(chunk, encoding)
    if (bytes === undefined) return
    this.#sizeBytes += bytes.length
    const room = KEPT_BODY_BYTES - this.#keptBytes
    if (!this.#isText || this.#isForgotten || room <= 0) return
    // Copies the bytes, because a slice would keep the socket's whole buffer in memory.
    const kept = new Uint8Array(bytes.subarray(0, room))
    this.#chunks.push(kept)
    this.#keptBytes += kept.length
    this.#onKept(kept.length)
  }

  /** Drops the kept bytes, and keeps none of the bytes that still arrive. */
  forget(): void {
    this.#isForgotten = true
    this.#chunks = []
    this.#onKept(-this.#keptBytes)
    this.#keptBytes = 0
  }

  /** Marks the end of the body. */
  end(): void {
    this.#isWhole = true
  }

  bytes(): Buffer {
    const joined = Buffer.concat(this.#chunks)
    this.#chunks = [joined]
    return joined
  }
}

function bytesOf(chunk: unknown, encoding: unknown): Uint8Array | undefined {
  if (chunk instanceof Uint8Array) return chunk
  if (typeof chunk !== 'string') return undefined
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
}

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

/** Reads a body that no other code reads, up to the size that a recording keeps. */
export async function readStart(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (body === null || body.locked) return
  const reader = body.getReader()
  try {
    for (let size = 0; size < KEPT_BODY_BYTES; ) {
      const { done, value } = await reader.read()
      if (done) return
      size += value.byteLength
    }
    await reader.cancel()
  } catch {
    // The sender closed the connection.
  }
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
