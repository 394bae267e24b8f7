// Lets a stock of prepared clones finish its work, with a clock that the test moves.
import type { ManualClock } from '../../emulator/core/clock.ts'
import type { Engine } from '../../emulator/database/engine.ts'

// Must be longer than the time that the stock waits for a quiet engine.
const STEP_MILLIS = 1_000
const ROUNDS = 5

/** Resolves when the stock submits no further job, however long the engine stays unused. */
export async function settleStock(engine: Engine, clock: ManualClock): Promise<void> {
  for (let unchanged = 0; unchanged < ROUNDS; ) {
    const before = engine.stats().submitted
    clock.advance(STEP_MILLIS)
    await nextTurn()
    while (!engine.stats().isIdle) await nextTurn()
    unchanged = engine.stats().submitted === before ? unchanged + 1 : 0
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
