// The feed of live events (contract/events.ts): numbered batches, kept for readers that reconnect and sent at the pace of
// each reader. Without readers, an event costs one comparison.
import type { LiveEvent } from '../../contract/events.ts'
import type { Cancel, Clock } from '../../core/clock.ts'
import { FrameRing } from './frame-ring.ts'

/** Makes the event when its batch is due; `undefined` when there is no event after all. */
export type EventMaker = () => LiveEvent | undefined

export interface EventFeed {
  /** Whether the feed has a reader. */
  readonly isWatched: boolean
  /** Tells an event; it is made only if it is read or kept. */
  tell(make: EventMaker): void
  /**
   * A reader's stream, beginning with `hello`.
   * @param after number of the last batch it has seen: what it missed comes first, or a `gap`
   */
  open(after?: number): ReadableStream<Uint8Array>
  /** Ends all streams, those still to come included, and gives readers a moment to take the end. */
  close(): Promise<void>
}

export interface EventFeedOptions {
  readonly wallClock: Clock
  readonly version: string
}

const BATCH_MILLIS = 50
/** Events that wait for one batch; more than these are a gap. */
const MAX_WAITING = 2_000
/** Characters of one batch; a longer one is a gap. */
const MAX_BATCH_LENGTH = 8 << 20
const HEARTBEAT_MILLIS = 15_000
/** How long batches are kept for the last reader to come back. */
const LINGER_MILLIS = 30_000
const CLOSING_MILLIS = 20

const HEARTBEAT = new TextEncoder().encode(':\n\n')

export function createEventFeed({ wallClock, version }: EventFeedOptions): EventFeed {
  const startedAt = wallClock.now()
  // Numbers go on rising over restarts, so that one of an earlier start is never taken for one of this.
  const ring = new FrameRing(startedAt)
  const hello: LiveEvent = { kind: 'hello', boot_id: `boot_${startedAt.toString(36)}`, version }
  const readers = new Set<Reader>()
  let waiting: EventMaker[] = []
  let hasLost = false
  let scheduled: Cancel | undefined
  let batchedAt = 0
  let isKeeping = false
  let stopLingering: Cancel = () => {}
  let isClosed = false

  function flush(): void {
    scheduled?.()
    scheduled = undefined
    const events = [...(hasLost ? [textOf(GAP)] : []), ...made(waiting)]
    waiting = []
    hasLost = false
    batchedAt = wallClock.now()
    if (events.length === 0) return
    ring.add(events)
    for (const reader of readers) reader.wake()
  }

  function forget(): void {
    isKeeping = false
    waiting = []
    ring.clear()
  }

  const deps: ReaderDeps = {
    ring,
    wallClock,
    onEnd: (reader) => {
      if (!readers.delete(reader) || readers.size > 0) return
      stopLingering = wallClock.after(LINGER_MILLIS, forget)
    },
  }

  return {
    get isWatched() {
      return readers.size > 0
    },
    tell: (make) => {
      if (!isKeeping) return
      if (waiting.length >= MAX_WAITING) {
        waiting = []
        hasLost = true
      }
      waiting.push(make)
      scheduled ??= wallClock.after(untilNextBatch(wallClock.now() - batchedAt), flush)
    },
    open: (after) => {
      flush()
      stopLingering()
      isKeeping = !isClosed
      const reader = new Reader(deps, hello, after)
      if (isClosed) reader.end()
      else readers.add(reader)
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

// A wall clock that was set back must not delay a batch.
function untilNextBatch(sinceLastMillis: number): number {
  return Math.min(Math.max(0, BATCH_MILLIS - sinceLastMillis), BATCH_MILLIS)
}

// The pause lets the readers' streams deliver their last frames.
async function endAll(readers: readonly Reader[], wallClock: Clock): Promise<void> {
  for (const reader of readers) reader.end()
  if (readers.length > 0) await new Promise<void>((done) => wallClock.after(CLOSING_MILLIS, done))
}

const GAP: LiveEvent = { kind: 'gap' }

function textOf(event: LiveEvent): string {
  return JSON.stringify(event)
}

// Many rows changed at once would be a batch that no page wants and no string holds.
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

interface ReaderDeps {
  readonly ring: FrameRing
  readonly wallClock: Clock
  readonly onEnd: (reader: Reader) => void
}

/** One open stream. It holds a place in the ring and no frames: a slow one falls behind, and is told so. */
class Reader {
  readonly stream: ReadableStream<Uint8Array>
  readonly #deps: ReaderDeps
  readonly #first: Uint8Array
  #hasBegun = false
  /** Number of the last batch it was given. */
  #place: number
  #wake: (() => void) | undefined
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor(deps: ReaderDeps, hello: LiveEvent, after: number | undefined) {
    this.#deps = deps
    const { ring } = deps
    const isKnown = after !== undefined && ring.goesOnAfter(after)
    this.#place = isKnown ? after : ring.last
    const lost = after !== undefined && !isKnown
    this.#first = ring.encode(this.#place, (lost ? [hello, GAP] : [hello]).map(textOf))
    // Nothing is made ready before it is asked for.
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

  /** Whether something came before the heartbeat was due. */
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
