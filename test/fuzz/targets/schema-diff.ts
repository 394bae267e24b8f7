// Fuzzes the schema differ with pairs of schemas. Its statements must turn the first schema into the second, and lose no value
// without the flag.
import fc from 'fast-check'
import { DifferLab } from '../../support/schema-pairs/differ-lab.ts'
import { renamedPair } from '../../support/schema-pairs/renamed-pair.ts'
import { pairOf, type SchemaPair, schemaPair } from '../../support/schema-pairs/schema-pair.ts'
import { WrongSchema } from '../../support/schema-pairs/scratch-project.ts'
import { openTestEngine } from '../../support/test-engine.ts'
import { SCHEMA_DIFF_EXAMPLES, type SchemaDiffCase } from '../examples/schema-diff.ts'
import { type FuzzTarget, requireThat } from '../target.ts'

export const schemaDiff: FuzzTarget<SchemaDiffCase> = {
  name: 'schema-diff',
  // Each seed generates one pair of schemas. Shrinking is off, because a smaller seed does not generate a smaller pair.
  cases: fc.noShrink(
    fc.record({
      seed: fc.noBias(fc.nat()),
      isRenamed: fc.noBias(fc.nat(4)).map((choice) => choice === 0),
    }),
  ),
  examples: SCHEMA_DIFF_EXAMPLES,
  casesPerRun: 1 / 500,
  // A pair takes half a second of the engine's thread. The high limit avoids a second attempt that would use the pair's schemas
  // at the same time.
  boundMillis: 60_000,
  open: async () => {
    const { engine } = await openTestEngine()
    const lab = await DifferLab.open(engine)
    return {
      attempt: async (one) => {
        const pair = pairOfCase(one)
        const attempt = await lab.attempt(pair).catch(refusedSchema)
        if (typeof attempt === 'string') return attempt
        const { error, left, onRows, step } = attempt
        requireThat(error === undefined, `the step failed: ${error}\n${step}`)
        requireThat(left.length === 0, `${left.join('\n')}\n${step}`)
        requireThat(onRows.lost.length === 0, `${onRows.lost.join('\n')}\n${onRows.step}`)
        // Existing rows may prevent a change, such as a new NOT NULL.
        const refused = onRows.error?.slice(0, 5)
        requireThat(/^2[23]|^$/.test(refused ?? ''), `${onRows.error}\n${onRows.step}`)
        const idle = pair.renames === undefined ? [] : await lab.idleStatements(pair)
        requireThat(idle.length === 0, `statements change nothing:\n${idle.join('\n')}\n${step}`)
        return refused === undefined ? 'equal, no value lost' : `equal, ${refused} on rows`
      },
      close: () => {
        engine.close().catch(() => undefined)
      },
    }
  },
}

// A policy that reads its own table, perhaps through a function, makes Postgres refuse some changes by hand.
function refusedSchema(error: unknown): string {
  const [code] = error instanceof WrongSchema ? error.message.split(' ') : []
  if (code === '42P17' || code === '54001') return `no schema: ${code}`
  throw error
}

function pairOfCase(one: SchemaDiffCase): SchemaPair {
  if ('before' in one) return pairOf(one.before, one.after, one.rows, one.renames)
  return one.isRenamed ? renamedPair(one.seed) : schemaPair(one.seed)
}
