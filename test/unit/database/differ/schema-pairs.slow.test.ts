// The differ on generated pairs of schemas. `npm run fuzz -- --target schema-diff` tries more of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DifferLab } from '../../../support/schema-pairs/differ-lab.ts'
import { schemaPair } from '../../../support/schema-pairs/schema-pair.ts'
import { type OpenedTestEngine, openTestEngine } from '../../../support/test-engine.ts'

const PAIRS = 2

let opened: OpenedTestEngine
let lab: DifferLab

beforeAll(async () => {
  opened = await openTestEngine()
  lab = new DifferLab(opened.engine)
}, 60_000)

afterAll(() => opened.engine.close())

const seeds = Array.from({ length: PAIRS }, (_, index) => index)

describe('the statements between two generated schemas', () => {
  it.each(seeds)(
    'turn the first into the second, or name what they leave (seed %i)',
    async (seed) => {
      const { error, left, notGenerated } = await lab.convert(schemaPair(seed))
      expect(error).toBeUndefined()
      if (notGenerated.length === 0) expect(left).toEqual([])
    },
  )

  it.each(seeds)('lose no value without the flag (seed %i)', async (seed) => {
    const { lost } = await lab.lossOf(schemaPair(seed))
    expect(lost).toEqual([])
  })
})
