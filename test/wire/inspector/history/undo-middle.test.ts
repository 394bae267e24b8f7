// POST /_emulator/v1/projects/:ref/undo of one of several transactions.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPastTenant, type PastTenant } from '../../../support/past-tenant.ts'
import { EVERYTHING, numbers, randomWrite, WRITTEN_SCHEMA } from '../../../support/random-writes.ts'

const SEEDS = [11, 12]
const HISTORIES = 15
const WRITES = 3

let past: PastTenant
beforeAll(async () => {
  past = await openPastTenant(WRITTEN_SCHEMA)
})
afterAll(() => past[Symbol.asyncDispose]())

/** All rows, as texts. */
const state = async (): Promise<readonly string[]> =>
  ((await past.ask(EVERYTHING)).results[0]?.rows ?? []).map((row) => row.join(' '))

/** Returns the rows of `all` without those of `others`, each as often as it is there. */
function without(all: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others]
  return all.filter((row) => {
    const at = left.indexOf(row)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

async function writeSome(next: () => number): Promise<void> {
  for (let step = 0; step < WRITES; step++) await past.write(randomWrite(next))
}

interface Middle {
  readonly transaction: string
  /** The sequence of its last change. */
  readonly sequence: number
  /** The rows that it removed and added. */
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

async function writeMiddle(next: () => number): Promise<Middle | undefined> {
  const [before, last] = [await state(), await past.lastSequence()]
  await past.write(randomWrite(next))
  const after = await state()
  const [change] = (await past.history('limit=1')).changes
  if (change === undefined || change.sequence === last) return undefined
  const { sequence, transaction } = change
  return { transaction, sequence, removed: without(before, after), added: without(after, before) }
}

describe('undo of a transaction in the middle', () => {
  it.each(SEEDS)(
    'restores its rows and changes no others, or names later changes, seed %i',
    async (seed) => {
      const next = numbers(seed)
      const outcomes = new Set<boolean>()
      for (let round = 0; round < HISTORIES; round++) {
        await writeSome(next)
        const middle = await writeMiddle(next)
        await writeSome(next)
        if (middle === undefined) continue
        const last = await state()
        const { conflicts, is_applied } = await past.undo({
          transaction: middle.transaction,
          apply: true,
        })
        outcomes.add(is_applied)
        const expected = is_applied
          ? [...without(last, middle.added), ...middle.removed].sort()
          : [...last].sort()
        expect([...(await state())].sort()).toEqual(expected)
        const isNamed = ({ message, sequence }: (typeof conflicts)[number]) =>
          sequence === null ? message !== '' : sequence > middle.sequence
        expect([is_applied, conflicts.filter((conflict) => !isNamed(conflict))]).toEqual([
          conflicts.length === 0,
          [],
        ])
      }
      expect(outcomes).toEqual(new Set([true, false]))
    },
  )

  it('names each row that changed later', async () => {
    await past.write(`insert into parents (id, name) values (101, 'a'), (102, 'b'), (103, 'c')`)
    await past.write(`update parents set name = name || '!' where id > 100`)
    const [middle] = (await past.history('limit=1')).changes
    await past.write(
      `update parents set tags = '{}' where id = 101; delete from parents where id = 103`,
    )
    const { conflicts } = await past.undo({ transaction: middle?.transaction, apply: true })
    expect(conflicts.map(({ key }) => key)).toEqual([{ id: '103' }, { id: '101' }])
  })
})
