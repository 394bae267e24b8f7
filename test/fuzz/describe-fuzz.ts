// Runs a target as a test: its stored examples, and a thousand cases of one seed unless the file names another number. Test files
// in the same worker share an emulator.
import { describe, expect, it } from 'vitest'
import { type FuzzWorld, openFuzzWorld } from './fuzz-world.ts'
import { runTarget } from './run-target.ts'
import type { FuzzTarget } from './target.ts'

const RUNS = 1_000
const SEED = 20_261_122
/** A thousand cases take 3 to 10 s on an idle machine. */
const LONG_MILLIS = 300_000

let shared: Promise<FuzzWorld> | undefined

export function describeFuzz<Case>(target: FuzzTarget<Case>, runs = RUNS): void {
  describe(`${target.name} (seed ${SEED})`, () => {
    it(
      `answers ${runs} cases in time and without an internal error, and leaves the other tenant unchanged`,
      async () => {
        // vitest ends the worker with SIGTERM. Without a handler, no exit listener would remove the database's folder.
        if (shared === undefined) process.once('SIGTERM', () => process.exit())
        shared ??= openFuzzWorld()
        const { failure, outcomes } = await runTarget(target, await shared, {
          runs,
          seed: SEED,
        })
        expect(failure).toBeUndefined()
        // If all cases had the same outcome, the target would probably generate only invalid cases.
        expect(outcomes.size).toBeGreaterThan(1)
      },
      LONG_MILLIS,
    )
  })
}
