// Explains refused requests soon after their answers were sent. Policies, rows, users or the whole tenant may be gone when the
// user looks at the explanation. Explanations run one after the other, and take at most a third of the time.
import type { AccessChain } from '../../../contract/explain.ts'
import type { JournalEntry } from '../../../contract/journal.ts'
import { createBackground } from '../../../core/background.ts'
import type { Cancel, Clock } from '../../../core/clock.ts'
import type { Observer } from '../../../core/observation.ts'

export interface RefusalExplainer {
  /** Puts a refused request into the queue. When the queue is full, the oldest request is dropped without an explanation. */
  note(entry: JournalEntry): void
  /** Explains one queued request, or all of a project, before the others. Takes a few seconds at most, and never rejects. */
  settle(of: { readonly schemaName: string } | { readonly requestId: string }): Promise<void>
  /** Empties the queue. */
  forget(): void
  /** Empties the queue, and waits for the running explanation. */
  close(): Promise<void>
}

export interface RefusalExplainerDeps {
  /** Resolves to `undefined` when the explanation would take too long. */
  readonly explain: (entry: JournalEntry) => Promise<AccessChain | undefined>
  readonly keep: (entry: JournalEntry, explanation: AccessChain) => void
  readonly wallClock: Clock
  readonly report: Observer
}

const MAX_WAITING = 64
/** Pause after an explanation while others wait, as a multiple of its duration. */
const PAUSES = 2
/** Wall-clock milliseconds after which `settle` begins no further explanation. */
const SETTLE_MILLIS = 2_000

type Matches = (entry: JournalEntry) => boolean

export function createRefusalExplainer(deps: RefusalExplainerDeps): RefusalExplainer {
  const { explain, keep, wallClock } = deps
  const background = createBackground('explain a refused request', deps.report)
  const running = new Map<JournalEntry, Promise<unknown>>()
  let waiting: JournalEntry[] = []
  let scheduled: Cancel | undefined
  let isClosed = false

  async function run(entry: JournalEntry): Promise<void> {
    const work = background.runAsync(async () => {
      const explanation = await explain(entry)
      if (explanation !== undefined) keep(entry, explanation)
    })
    running.set(entry, work)
    await work
    running.delete(entry)
  }

  function schedule(delayMillis: number): void {
    if (waiting.length > 0) scheduled ??= wallClock.after(delayMillis, () => void next())
  }

  async function next(): Promise<void> {
    const entry = waiting.shift()
    const startedAt = wallClock.now()
    // While this explanation runs, `scheduled` stays set, so that a new request does not start a second explanation.
    if (entry !== undefined) await run(entry)
    scheduled = undefined
    schedule(PAUSES * (wallClock.now() - startedAt))
  }

  async function settle(matches: Matches): Promise<void> {
    const end = wallClock.now() + SETTLE_MILLIS
    await Promise.all([...running].map(([entry, work]) => (matches(entry) ? work : undefined)))
    while (wallClock.now() < end) {
      const entry = waiting.find(matches)
      if (entry === undefined) return
      waiting = waiting.filter((other) => other !== entry)
      await run(entry)
    }
  }

  function forget(): void {
    waiting = []
  }

  return {
    note: (entry) => {
      if (isClosed) return
      waiting.push(entry)
      if (waiting.length > MAX_WAITING) waiting.shift()
      schedule(0)
    },
    settle: (of) =>
      settle((entry) =>
        'requestId' in of ? entry.request_id === of.requestId : entry.schema_name === of.schemaName,
      ),
    forget,
    close: async () => {
      isClosed = true
      forget()
      scheduled?.()
      await Promise.all(running.values())
    },
  }
}
