// Pairs of schemas: the statements of the differ must turn the first into the second, and lose no value without the flag.
import fc from 'fast-check'
import { DifferLab } from '../../support/schema-pairs/differ-lab.ts'
import { schemaPair } from '../../support/schema-pairs/schema-pair.ts'
import { openTestEngine } from '../../support/test-engine.ts'
import { type FuzzTarget, requireThat } from '../target.ts'

export const schemaDiff: FuzzTarget<number> = {
  name: 'schema-diff',
  // Numbers that generate a pair each; fast-check cannot make a pair smaller.
  cases: fc.noShrink(fc.nat()),
  examples: {},
  casesPerRun: 1 / 500,
  // A pair takes half a second of the engine's thread. Another try would use its schemas while it still runs.
  boundMillis: 60_000,
  open: async () => {
    const { engine } = await openTestEngine()
    const lab = new DifferLab(engine)
    return {
      attempt: async (seed) => {
        const pair = schemaPair(seed)
        const { error, left, notGenerated, step } = await lab.convert(pair)
        requireThat(error === undefined, `the step failed: ${error}\n${step}`)
        const isNamed = notGenerated.length > 0
        requireThat(isNamed || left.length === 0, `${left.join('\n')}\n${step}`)
        const { lost, step: careful, error: refused } = await lab.lossOf(pair)
        requireThat(lost.length === 0, `${lost.join('\n')}\n${careful}`)
        return refused === undefined
          ? 'equal, no value lost'
          : `equal, ${refused.slice(0, 5)} on rows`
      },
      close: () => {
        engine.close().catch(() => undefined)
      },
    }
  },
}
