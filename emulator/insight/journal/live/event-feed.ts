// The feed of live events (contract/events.ts) sends numbered batches and adapts to the speed of each reader. The feed keeps
// recent batches for readers that reconnect. Without readers, an event costs one comparison.
import type { LiveEvent } from '../../../contract/events.ts'
import type { Cancel, Clock } from '../../../core/clock.ts'
import { FrameRing } from './frame-ring.ts'

/** Creates an event when the feed sends its batch. Returns `undefined` when the feed has nothing to send. */
export type EventMaker = () => LiveEvent | undefined

export interface EventFeed {
  /** Whether the feed has a reader that watches. */
  readonly isWatched: boolean
  /** Number of events since the start, whether or not the feed had readers. */
  readonly count: () => number
  /**
   * Queues an event. The feed calls `make` only while it has readers or keeps batches for a reader that may reconnect.
   * @param once the feed queues only the first of several events with the same text in one batch
   */
  tell(make: EventMaker, once?: string): void
  /**
   * Opens a reader's stream, which begins with `hello`.
   * @param after the number of the last batch that the reader received. The feed then sends the missed batches, or a `gap`
   * when the missed batches are no longer available.
   * @param watches whether the reader counts as an open inspector. Default: true
   */
  open(after?: number, watches?: boolean): ReadableStream<Uint8Array>
  /** Ends all streams and refuses new ones. Waits 20 ms so that readers receive the last frame. */
  close(): Promise<void>
}

export interface EventFeedOptions {
  readonly wallClock: Clock
  readonly version: string
  /** Start of the emulator, by the wall clock. Default: now. */
  readonly startedAt?: number
  /** Returns the number of events so far. Default: the number of events of this feed. */
  readonly count?: () => number
}

/** Wall-clock milliseconds between batches. */
const BATCH_MILLIS = 50
/** Maximum number of events in a batch. The feed replaces a larger batch with a gap. */
const MAX_WAITING = 2_000
/** Maximum number of characters in a batch. The feed replaces a longer batch with a gap. */
const MAX_BATCH_LENGTH = 8 << 20
const HEARTBEAT_MILLIS = 15_000
/** Wall-clock milliseconds for which the feed keeps batches after the last reader has left. */
const LINGER_MILLIS = 30_000
const CLOSING_MILLIS = 20

const HEARTBEAT = new TextEncoder().encode(':\n\n')

export function createEventFeed(options: EventFeedOptions): EventFeed {
  const { version, wallClock, startedAt = wallClock.now(), count = () => waiting.told } = options
  // Numbering starts at the wall clock, so that numbers increase across restarts and never repeat.
  const ring = new FrameRing(startedAt)
  const readers = new Set<Reader>()
  let watching = 0
  const waiting = new WaitingEvents()
  let scheduled: Cancel | undefined
  let batchedAt = 0
  let isKeeping = false
  let stopLingering: Cancel = () => {}
  let isClosed = false

  function flush(): void {
    scheduled?.()
    scheduled = undefined
    const events = waiting.take()
    batchedAt = wallClock.now()
    if (events.length === 0) return
    ring.add(events)
    for (const reader of readers) reader.wake()
  }

  function forget(): void {
    isKeeping = false
    waiting.clear()
    ring.clear()
  }

  const deps: ReaderDeps = {
    ring,
    wallClock,
    onEnd: (reader) => {
      if (!readers.delete(reader)) return
      if (reader.watches) watching -= 1
      if (readers.size === 0) stopLingering = wallClock.after(LINGER_MILLIS, forget)
    },
  }

  return {
    get isWatched() {
      return watching > 0
    },
    count,
    tell: (make, once) => {
      waiting.told += 1
      if (!isKeeping || !waiting.add(make, once)) return
      scheduled ??= wallClock.after(untilNextBatch(wallClock.now() - batchedAt), flush)
    },
    open: (after, watches = true) => {
      flush()
      stopLingering()
      isKeeping = !isClosed
      const hello = helloOf(startedAt, version, count())
      const reader = new Reader(deps, hello, { after, watches })
      if (isClosed) reader.end()
      else readers.add(reader)
      if (watches && !isClosed) watching += 1
      return reader.stream
    },
    close: async () => {
      if (isClosed) return
      isClosed = true
      flush()
      stopLingering()
      const open = [...readers]
      forget()
      await endAll(open, wallClock)
    },
  }
}

function helloOf(startedAt: number, version: string, events: number): LiveEvent {
  return { kind: 'hello', boot_id: `boot_${startedAt.toString(36)}`, version, events }
}

// Limits the wait, because the wall clock may have been set back.
function untilNextBatch(sinceLastMillis: number): number {
  return Math.min(Math.max(0, BATCH_MILLIS - sinceLastMillis), BATCH_MILLIS)
}

// Waits before returning, so that the streams can deliver their last frames.
async function endAll(readers: readonly Reader[], wallClock: Clock): Promise<void> {
  for (const reader of readers) reader.end()
  if (readers.length > 0) await new Promise<void>((done) => wallClock.after(CLOSING_MILLIS, done))
}

const GAP: LiveEvent = { kind: 'gap' }

function textOf(event: LiveEvent): string {
  return JSON.stringify(event)
}

// Thousands of changed rows could exceed V8's maximum string length. The feed then sends a gap instead of the batch.
function made(makers: readonly EventMaker[]): readonly string[] {
  const texts: string[] = []
  let length = 0
  for (const make of makers) {
    const event = make()
    if (event === undefined) continue
    const text = textOf(event)
    length += text.length
    if (length > MAX_BATCH_LENGTH) return [textOf(GAP)]
    texts.push(text)
  }
  return texts
}

/** The events of the next batch. */
class WaitingEvents {
  /** Number of all events, including those that had no readers. */
  told = 0
  #makers: EventMaker[] = []
  readonly #once = new Set<string>()
  #hasLost = false

  /** Returns false when the batch already has the event. */
  add(make: EventMaker, once: string | undefined): boolean {
    if (once !== undefined && this.#once.has(once)) return false
    if (this.#makers.length >= MAX_WAITING) {
      this.clear()
      this.#hasLost = true
    }
    if (once !== undefined) this.#once.add(once)
    this.#makers.push(make)
    return true
  }

  /** Removes the events from the queue and returns them as JSON. A gap comes first when events were lost. */
  take(): readonly string[] {
    const events = [...(this.#hasLost ? [textOf(GAP)] : []), ...made(this.#makers)]
    this.clear()
    this.#hasLost = false
    return events
  }

  clear(): void {
    this.#makers = []
    this.#once.clear()
  }
}

interface ReaderDeps {
  readonly ring: FrameRing
  readonly wallClock: Clock
  readonly onEnd: (reader: Reader) => void
}

/** One open stream. A reader stores only its position in the ring. A reader that falls too far behind gets a gap. */
class Reader {
  readonly stream: ReadableStream<Uint8Array>
  readonly watches: boolean
  readonly #deps: ReaderDeps
  readonly #first: Uint8Array
  #hasBegun = false
  /** Number of the last batch sent. */
  #place: number
  #wake: (() => void) | undefined
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor(
    deps: ReaderDeps,
    hello: LiveEvent,
    { after, watches }: { readonly after: number | undefined; readonly watches: boolean },
  ) {
    this.#deps = deps
    this.watches = watches
    const { ring } = deps
    const isKnown = after !== undefined && ring.goesOnAfter(after)
    this.#place = isKnown ? after : ring.last
    const lost = after !== undefined && !isKnown
    this.#first = ring.encode(this.#place, (lost ? [hello, GAP] : [hello]).map(textOf))
    // With a high-water mark of 0, the stream pulls a frame only when the reader requests one.
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: (controller) => this.#pull(controller),
        cancel: () => this.#leave(),
      },
      { highWaterMark: 0 },
    )
  }

  wake(): void {
    this.#wake?.()
  }

  end(): void {
    const controller = this.#controller
    this.#leave()
    controller?.close()
  }

  #leave(): void {
    this.#controller = undefined
    this.#deps.onEnd(this)
    this.wake()
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (!this.#hasBegun) {
      this.#hasBegun = true
      controller.enqueue(this.#first)
      return
    }
    const isDue = this.#place < this.#deps.ring.last || (await this.#somethingNew())
    if (this.#controller === undefined) return
    controller.enqueue(isDue ? this.#next() : HEARTBEAT)
  }

  /** Resolves to true when a batch arrives before the next heartbeat. */
  #somethingNew(): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isNew: boolean): void => {
        stop()
        this.#wake = undefined
        resolve(isNew)
      }
      const stop = this.#deps.wallClock.after(HEARTBEAT_MILLIS, () => settle(false))
      this.#wake = () => settle(true)
    })
  }

  #next(): Uint8Array {
    const { ring } = this.#deps
    const frame = ring.find(this.#place + 1)
    this.#place = frame === undefined ? ring.oldest - 1 : this.#place + 1
    return frame ?? ring.encode(this.#place, [textOf(GAP)])
  }
}
