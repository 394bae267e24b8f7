// Returns memory to the system while the emulator is idle. V8 collects garbage only when a thread allocates. An idle main thread
// would keep the garbage of its start (7 MB, measured) or of many requests (30 MB).
import type { Clock } from '../../../core/clock.ts'

/** Wall milliseconds without a request after which the emulator counts as idle. A collection takes about 0.1 s. */
const IDLE_AFTER_MILLIS = 4_000

export interface IdleMemoryDeps {
  readonly wallClock: Clock
  /** Collects this thread's garbage and returns its pages to the system. */
  readonly collect: () => Promise<void>
}

export interface IdleMemory {
  /** Call this function whenever the emulator is used. */
  noteUse(): void
}

/** Collects once after each period of use. */
export function releaseMemoryWhenIdle({ collect, wallClock }: IdleMemoryDeps): IdleMemory {
  let uses = 0
  let isWaiting = false
  const wait = (): void => {
    const seen = uses
    isWaiting = true
    wallClock.after(IDLE_AFTER_MILLIS, () => {
      isWaiting = false
      if (uses === seen) void collect()
      else wait()
    })
  }
  wait()
  return {
    noteUse: () => {
      uses += 1
      if (!isWaiting) wait()
    },
  }
}
