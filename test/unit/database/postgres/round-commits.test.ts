// The order of the commits that one round of reading finds, and the rows of each commit.
import { expect, it } from 'vitest'
import { commitsOf } from '../../../../emulator/database/postgres/changes/round-commits.ts'

const cells = (...texts: readonly (string | null)[]) =>
  texts.map((text) => (text === null ? null : Buffer.from(text)))
const row = (transaction: string, id: string) =>
  cells(transaction, id, '16400', 'I', '1', `(${id})`, null, null, null)
const commit = (transaction: string, last: string, seconds: string | null, requestId?: string) =>
  cells(transaction, last, null, null, null, null, seconds, 'f', requestId ?? null)
const idsOf = (found: Parameters<typeof commitsOf>[0]) =>
  commitsOf(found).map(({ rows }) => rows?.map(([id]) => Buffer.from(id ?? []).toString()))

it('orders commits by their times, not by their ids', () => {
  const found = [
    row('7', '1'),
    row('8', '2'),
    commit('7', '1', '1700000000.000002'),
    commit('8', '2', '1700000000.000001'),
  ]
  expect(idsOf(found)).toEqual([['2'], ['1']])
})

it('orders commits without times by their last change', () => {
  const found = [
    row('7', '1'),
    row('8', '2'),
    row('7', '3'),
    commit('7', '3', null),
    commit('8', '2', null),
  ]
  expect(idsOf(found)).toEqual([['2'], ['1', '3']])
})

it('includes a commit without rows that changed the schema', () => {
  const found = [cells('7', '1', null, null, null, null, null, 't', 'request')]
  expect(commitsOf(found)).toMatchObject([
    { rows: undefined, isSchemaChanged: true, requestId: 'request' },
  ])
})
