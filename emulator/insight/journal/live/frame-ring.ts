// Keeps the latest batches of events, each encoded once for all readers of event-feed.ts (`text/event-stream`, HTML Standard
// §9.2).
const CAPACITY = { frames: 4_096, bytes: 8 << 20 }

export class FrameRing {
  readonly #encoder = new TextEncoder()
  readonly #frames = new Map<number, Uint8Array>()
  #bytes = 0
  #last: number
  #oldest: number

  /** @param last the number before the number of the first batch */
  constructor(last: number) {
    this.#last = last
    this.#oldest = last + 1
  }

  /** Number of the newest batch, even if it was dropped. */
  get last(): number {
    return this.#last
  }

  /** Number of the oldest available batch. An empty ring returns `last + 1`. */
  get oldest(): number {
    return this.#oldest
  }

  /** Whether the ring still has every batch after `number`. */
  goesOnAfter(number: number): boolean {
    return number >= this.#oldest - 1 && number <= this.#last
  }

  find(number: number): Uint8Array | undefined {
    return this.#frames.get(number)
  }

  /** @param events JSON texts */
  add(events: readonly string[]): void {
    this.#last += 1
    const frame = this.encode(this.#last, events)
    this.#frames.set(this.#last, frame)
    this.#bytes += frame.length
    while (
      this.#frames.size > 1 &&
      (this.#frames.size > CAPACITY.frames || this.#bytes > CAPACITY.bytes)
    )
      this.#drop()
  }

  /** Removes all frames. Readers that reconnect then get a gap. */
  clear(): void {
    this.#frames.clear()
    this.#bytes = 0
    // Skips a number that no reader received, so that every earlier position leads to a gap.
    this.#last += 1
    this.#oldest = this.#last + 1
  }

  /** Encodes an `EventBatch` (contract/events.ts). */
  encode(number: number, events: readonly string[]): Uint8Array {
    return this.#encoder.encode(`id: ${number}\ndata: {"events":[${events.join(',')}]}\n\n`)
  }

  #drop(): void {
    this.#bytes -= this.#frames.get(this.#oldest)?.length ?? 0
    this.#frames.delete(this.#oldest)
    this.#oldest += 1
  }
}
