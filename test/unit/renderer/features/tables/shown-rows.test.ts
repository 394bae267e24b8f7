// renderer/features/tables/shown-rows.ts: whether rows can be shown under the columns of a structure.
import { expect, it } from 'vitest'
import { hasColumns } from '../../../../../renderer/features/tables/shown-rows.ts'

const columned = (...names: readonly string[]) => ({ columns: names.map((name) => ({ name })) })

it.each([
  ['the same columns', columned('id', 'floor'), columned('id', 'floor'), true],
  ['a column that was dropped meanwhile', columned('id', 'floor'), columned('id'), true],
  ['a column under its former name', columned('id', 'floor'), columned('id', 'level'), false],
  ['no column that was added meanwhile', columned('id'), columned('id', 'floor'), false],
  ['no columns, and so no rows', columned(), columned('id'), true],
])('compares a structure with an answer that has %s', (_, answer, structure, isFitting) => {
  expect(hasColumns(answer, structure)).toBe(isFitting)
})
