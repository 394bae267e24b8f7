// The description of a measured effect, conditions through foreign keys, and the advice when every fix exposes too many rows.
import { describe, expect, it } from 'vitest'
import type { RowCommand } from '../../../../emulator/contract/values.ts'
import { trusted } from '../../../../emulator/core/names.ts'
import {
  type EffectChange,
  pairExchanged,
  toFixEffect,
} from '../../../../emulator/insight/explain/suggested-fixes/effect.ts'
import type { MeasuredIdentity } from '../../../../emulator/insight/explain/suggested-fixes/measured-identities.ts'

const identity = (audience: MeasuredIdentity['audience'], label: string): MeasuredIdentity => {
  const role = audience === 'anon' || label === 'anon' ? 'anon' : 'authenticated'
  const schemaName = trusted.schemaName('proj_t')
  return { audience, label, role, principal: { schemaName, role, claims: {}, claimsText: '{}' } }
}
const ANA = identity('asker', 'ana')
const BEN = identity('user', 'ben')
const EVA = identity('user', 'eva')
const STRANGER = identity('signed_in', 'any other signed-in user')
const ANON = identity('anon', 'anon')

const change = (
  who: MeasuredIdentity,
  gained: readonly string[],
  other: Partial<EffectChange> = {},
): EffectChange => ({
  table: 'notes',
  command: 'select',
  identity: who,
  gained,
  lost: [],
  changed: 0,
  example: undefined,
  error: undefined,
  ...other,
})

const effect = (
  changes: readonly EffectChange[],
  command: RowCommand = 'select',
  notes: readonly string[] = [],
) => {
  const identities = [ANA, BEN, EVA, STRANGER, ANON]
  return toFixEffect({ changes, notes }, { relation: 'notes', command, isOfRow: true, identities })
}

describe('toFixEffect', () => {
  it.each([
    [
      'only the row',
      [change(ANA, ['1'])],
      'asker',
      1,
      'Lets ana see this row. No other compared identity gains access.',
    ],
    [
      'more rows of the identity',
      [change(ANA, ['1', '2', '3'])],
      'asker',
      3,
      /^Lets ana see this row and 2 other rows\./,
    ],
    [
      'other users, with distinct rows',
      [change(ANA, ['1']), change(BEN, ['1', '2']), change(EVA, ['2', '3'])],
      'users',
      5,
      'Lets ana see this row. Also lets 2 other users see 3 rows.',
    ],
    [
      'everybody who signs in, without naming those users again',
      [change(ANA, ['1']), change(BEN, ['1']), change(STRANGER, ['1'])],
      'signed_in',
      3,
      'Lets ana see this row. Also lets everybody who signs in see 1 row.',
    ],
    [
      'anon',
      [change(ANA, ['1']), change(ANON, ['1'])],
      'anon',
      2,
      'Lets ana see this row. Also lets anon (everybody with the public key) see 1 row.',
    ],
    [
      'rows of other tables and lost rows',
      [
        change(ANA, ['9'], { table: 'lines' }),
        change(ANA, ['1']),
        change(BEN, [], { lost: ['4'] }),
      ],
      'asker',
      2,
      'Lets ana see this row and 1 row of lines. No other compared identity gains access. Hides 1 row from 1 other user.',
    ],
    [
      'rows that other users see with other values',
      [
        change(ANA, ['1']),
        change(BEN, [], { table: 'day_book', changed: 1 }),
        change(EVA, [], { table: 'day_book', changed: 1 }),
      ],
      'asker',
      1,
      'Lets ana see this row. No other compared identity gains access. Changes what 2 other users see in day_book.',
    ],
    [
      'only rows that the identity sees with other values',
      [change(ANA, [], { table: 'day_book', changed: 2 })],
      'none',
      0,
      'Changes what ana sees in day_book.',
    ],
    ['nothing', [], 'none', 0, 'No compared identity gains access.'],
  ] as const)('counts and names %s', (_, changes, opensTo, cells, sentence) => {
    const found = effect(changes)
    expect(found).toMatchObject({ opens_to: opensTo, cells, identities: 5 })
    expect(found.sentence).toMatch(sentence)
  })

  it('names changed rows, and reports an unknown effect when rows were not compared', () => {
    const written = [
      change(ANA, ['1'], { command: 'update' }),
      change(EVA, ['1'], { command: 'update' }),
    ]
    expect(effect(written, 'update').sentence).toBe(
      'Lets ana change this row. Also lets 1 other user change 1 row.',
    )
    expect(effect([], 'select', ['too large'])).toMatchObject({ opens_to: 'unknown', cells: null })
  })
})

describe('pairExchanged', () => {
  it.each([
    [['2'], ['1'], { changed: 1, gained: [], lost: [] }],
    [['2', '3'], ['1'], { changed: 1, gained: ['3'], lost: [] }],
    [['4'], [], { changed: 0, gained: ['4'], lost: [] }],
    [[], ['1'], { changed: 0, gained: [], lost: ['1'] }],
  ])('pairs gained rows %j with lost rows %j', (gained, lost, expected) => {
    expect(pairExchanged({ gained, lost })).toEqual(expected)
  })
})
