// The pure parts of a rehearsal's comparison: which relations can be affected, which rows differ, and which users are compared.
import { describe, expect, it } from 'vitest'
import { SqlError } from '../../../emulator/database/engine.ts'
import { chooseUsers } from '../../../emulator/insight/api-kit/choose-users.ts'
import {
  affectedPairs,
  rowsChanged,
  sinceBefore,
} from '../../../emulator/insight/visibility/affected.ts'
import { compareSeen, seenRows } from '../../../emulator/insight/visibility/compare-visibility.ts'
import { isDisturbed } from '../../../emulator/insight/visibility/disturbance.ts'
import type { Relation, SchemaState } from '../../../emulator/insight/visibility/relations.ts'
import { comparedRelation } from '../../../emulator/insight/visibility/visible-rows.ts'

const relation = (oid: number, other: Partial<Relation> = {}): Relation => ({
  oid,
  name: `t${oid}`,
  bytes: 8192,
  columns: [{ number: 1, name: 'id', type: 23, readers: ['anon', 'authenticated'] }],
  key: [1],
  parts: 0,
  isChanged: false,
  rowsChanged: 0,
  readsFrom: [],
  callsFunctions: false,
  ...other,
})
const state = (relations: readonly Relation[], other: Partial<SchemaState> = {}): SchemaState => ({
  relations,
  unknown: [],
  routines: 0,
  areRoutinesChanged: false,
  areEnumsChanged: false,
  ...other,
})
const affected = (before: SchemaState, after: SchemaState): readonly string[] =>
  affectedPairs(before, after).map(({ name }) => name)

describe('affectedPairs', () => {
  it('keeps changed relations, and relations that read them directly or through other relations', () => {
    const chain = [
      relation(1),
      relation(2, { readsFrom: [1] }),
      relation(3, { readsFrom: [2, 3] }),
      relation(4),
    ]
    const changed = chain.map((one) => (one.oid === 1 ? { ...one, isChanged: true } : one))
    expect(affected(state(chain), state(changed))).toEqual(['t1', 't2', 't3'])
    expect(affected(state(chain), state(chain))).toEqual([])
  })

  it('keeps relations that call functions when anything changed', () => {
    const opaque = [relation(1), relation(2, { callsFunctions: true }), relation(3)]
    const written = opaque.map((one) => (one.oid === 1 ? { ...one, rowsChanged: 1 } : one))
    expect(affected(state(opaque), state(written))).toEqual(['t1', 't2'])
    expect(affected(state(opaque), state(opaque, { areRoutinesChanged: true }))).toEqual(['t2'])
    expect(affected(state(opaque), state(opaque, { areEnumsChanged: true }))).toEqual([
      't1',
      't2',
      't3',
    ])
    expect(affected(state(opaque), state([...opaque, relation(4)]))).toEqual(['t2', 't4'])
  })

  it('compares a dropped relation with a new relation of the same name', () => {
    const [pair, ...others] = affectedPairs(
      state([relation(1, { name: 'notes' })]),
      state([relation(2, { name: 'notes', isChanged: true })]),
    )
    expect(others).toEqual([])
    expect([pair?.before?.oid, pair?.after?.oid]).toEqual([1, 2])
    expect(affected(state([relation(1)]), state([]))).toEqual(['t1'])
  })
})

it('sinceBefore notices dropped policies and functions, which leave no changed catalogue row behind', () => {
  const two = [relation(1, { parts: 2 }), relation(2, { callsFunctions: true })]
  const fewer = state([relation(1, { parts: 1 }), relation(2, { callsFunctions: true })])
  expect(affected(state(two), sinceBefore(state(two), fewer))).toEqual(['t1', 't2'])
  const functions = state(two, { routines: 3 })
  expect(affected(functions, sinceBefore(functions, state(two, { routines: 2 })))).toEqual(['t2'])
})

it('sinceBefore counts only rows that were changed since the first state', () => {
  const before = state([relation(1, { rowsChanged: 20 }), relation(2, { rowsChanged: 9 })])
  const after = state([
    relation(1, { rowsChanged: 23 }),
    relation(2, { rowsChanged: 0 }),
    relation(3, { rowsChanged: 4 }),
  ])
  expect(rowsChanged(sinceBefore(before, after))).toBe(7)
})

describe('isDisturbed', () => {
  const counts = (...oids: readonly number[]) =>
    new Map(oids.map((oid) => [oid, { rowsChanged: 0, parts: 0 }]))
  const ran = { before: counts(1, 2), after: counts(2, 8) }
  const before = state([relation(1), relation(2)])
  const created = relation(9, { isChanged: true })

  it('is false when only the scripts create and drop relations, with new oids in each job', () => {
    expect(isDisturbed({ before, after: state([relation(2), created]) }, ran)).toBe(false)
  })

  it('is true when another request creates or drops a relation between the jobs', () => {
    const after = state([relation(2), created])
    expect(isDisturbed({ before: state([relation(1)]), after }, ran)).toBe(true)
    const more = state([relation(1), relation(2), relation(3)])
    expect(isDisturbed({ before: more, after }, ran)).toBe(true)
    const appeared = state([relation(2), created], { unknown: [3] })
    expect(isDisturbed({ before, after: appeared }, ran)).toBe(true)
    expect(isDisturbed({ before, after: state([created]) }, ran)).toBe(true)
  })
})

describe('comparedRelation', () => {
  const column = (number: number, name: string, type = 25) => ({
    number,
    name,
    type,
    readers: ['anon'] as const,
  })

  it('identifies rows by the primary key, even when a key column was renamed', () => {
    const before = relation(1, { columns: [column(1, 'id'), column(2, 'title')] })
    const after = relation(1, { columns: [column(1, 'uuid', 2950), column(2, 'title')] })
    expect(comparedRelation({ name: 't1', before, after }, 'anon')).toMatchObject({
      hasKey: true,
      before: { key: ['id'] },
      after: { key: ['uuid'] },
    })
  })

  it('identifies rows without a readable key by the columns that both sides have', () => {
    const before = relation(1, {
      columns: [column(2, 'title'), column(3, 'size', 23), column(4, 'gone')],
    })
    const after = relation(1, {
      columns: [column(2, 'title'), column(3, 'size', 20), column(5, 'made')],
    })
    expect(comparedRelation({ name: 't1', before, after }, 'anon')).toMatchObject({
      hasKey: false,
      before: { key: ['title'] },
      after: { key: ['title'] },
    })
  })

  it('has only the side that the role may read', () => {
    const hidden = relation(1, { columns: [{ ...column(1, 'id'), readers: [] }] })
    const shown = relation(1, { columns: [column(1, 'id')] })
    const compared = comparedRelation({ name: 't1', before: hidden, after: shown }, 'anon')
    expect(compared?.before).toBeUndefined()
    expect(compared?.after?.key).toEqual(['id'])
    expect(comparedRelation({ name: 't1', before: hidden, after: hidden }, 'anon')).toBeUndefined()
  })
})

describe('compareSeen', () => {
  const failure = (code: string) => new SqlError(code, 'failed')

  it('counts equal rows as often as they occur', () => {
    expect(compareSeen(['1', '1', '2'], ['1', '2', '2', '3'])).toMatchObject({
      gained: ['2', '3'],
      lost: ['1'],
    })
    expect(compareSeen(['1', '2'], ['1', '2'])).toBeUndefined()
  })

  it('treats a relation that could not be read as a relation without rows', () => {
    expect(compareSeen(undefined, ['1'])).toMatchObject({ gained: ['1'], lost: [] })
    expect(compareSeen(failure('42501'), ['1'])).toMatchObject({ gained: ['1'] })
    expect(compareSeen(['1'], undefined)).toMatchObject({ lost: ['1'] })
  })

  it('reports only a new error', () => {
    expect(compareSeen(['1'], failure('42P17'))?.error?.code).toBe('42P17')
    expect(compareSeen(failure('22012'), failure('42P17'))?.error?.code).toBe('42P17')
    expect(compareSeen(failure('42P17'), failure('42P17'))).toBeUndefined()
  })

  it('does not compare too many rows', () => {
    expect(compareSeen('too_many', ['1'])?.isTooMany).toBe(true)
  })
})

it('seenRows reads a missing list of rows as too many rows, and one error as the error of every relation', () => {
  const cell = (text: string) => Buffer.from(text)
  const seen = seenRows(
    [
      [cell('0'), cell('2'), cell('fffffffffffffffc'), cell('-5,7')],
      [cell('2'), cell('0'), null, null],
      [cell('3'), cell('10001'), cell('0'), null],
    ],
    [0, 2, 3],
  )
  expect([...seen]).toEqual([
    [0, ['-5', '7']],
    [2, []],
    [3, 'too_many'],
  ])
  expect([...seenRows(new SqlError('42P17', 'x'), [4, 5]).keys()]).toEqual([4, 5])
})

it('chooseUsers prefers users whose app_metadata differs', () => {
  const user = (id: string, role?: string) => ({
    id,
    app_metadata: role === undefined ? {} : { role },
  })
  const users = [
    user('a'),
    user('b'),
    user('c', 'admin'),
    user('d'),
    user('e', 'editor'),
    user('f'),
  ]
  expect(chooseUsers(users, 4).map(({ id }) => id)).toEqual(['a', 'c', 'e', 'b'])
})
