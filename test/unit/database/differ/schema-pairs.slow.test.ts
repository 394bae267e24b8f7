// The differ on generated pairs of schemas. `npm run fuzz -- --target schema-diff` tries more of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCHEMA_DIFF_EXAMPLES } from '../../../fuzz/examples/schema-diff.ts'
import { DifferLab } from '../../../support/schema-pairs/differ-lab.ts'
import { renamedPair } from '../../../support/schema-pairs/renamed-pair.ts'
import { pairOf, schemaPair } from '../../../support/schema-pairs/schema-pair.ts'
import { type OpenedTestEngine, openTestEngine } from '../../../support/test-engine.ts'

const PAIRS = 2

let opened: OpenedTestEngine
let lab: DifferLab

beforeAll(async () => {
  opened = await openTestEngine()
  lab = await DifferLab.open(opened.engine)
})

afterAll(() => opened.engine.close())

const seeds = Array.from({ length: PAIRS }, (_, index) => index)

describe('the statements between two generated schemas', () => {
  it.each(seeds)(
    'turn the first schema into the second, apart from reported differences, and lose no value without the flag (seed %i)',
    async (seed) => {
      const { error, left, onRows } = await lab.attempt(schemaPair(seed))
      expect(error).toBeUndefined()
      expect(left).toEqual([])
      expect(onRows.lost).toEqual([])
    },
  )

  it.each(Object.entries(SCHEMA_DIFF_EXAMPLES))('are correct when %s', async (_title, one) => {
    const pair = pairOf(one.before, one.after, one.rows, one.renames)
    const { error, left, onRows } = await lab.attempt(pair)
    expect({ error, left }).toEqual({ error: undefined, left: [] })
    expect(onRows).toMatchObject({ lost: [], error: undefined })
    if (one.renames !== undefined) expect(await lab.idleStatements(pair)).toEqual([])
  })

  it.each(seeds)('contain no statement without effect after renames (seed %i)', async (seed) => {
    const pair = renamedPair(seed)
    const { error, left, onRows } = await lab.attempt(pair)
    expect({ error, left }).toEqual({ error: undefined, left: [] })
    expect(onRows.lost).toEqual([])
    expect(await lab.idleStatements(pair)).toEqual([])
  })
})
