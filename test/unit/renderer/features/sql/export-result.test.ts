// A result as CSV and as JSON: no value is lost or merged.
import { expect, it } from 'vitest'
import type { SqlResult } from '../../../../../emulator/contract/sql-console.ts'
import { csvOf, jsonOf } from '../../../../../renderer/features/sql/export-result.ts'

function result(names: readonly string[], rows: SqlResult['rows']): SqlResult {
  const columns = names.map((name) => ({ name, type: 'text' }))
  return { command_tag: 'SELECT', columns, rows, rows_left_out: 0 }
}

it('a CSV export writes null and empty text differently', () => {
  expect(csvOf(result(['a', 'b'], [[null, '']]))).toBe('a,b\r\n,""\r\n')
})

it('a CSV export quotes values with separators, quotes, line breaks or outer spaces', () => {
  const csv = csvOf(result(['a,b'], [['say "hi"'], ['two\nlines'], [' padded ']]))
  expect(csv).toBe('"a,b"\r\n"say ""hi"""\r\n"two\nlines"\r\n" padded "\r\n')
})

it('a JSON export gives two columns of the same name different names', () => {
  expect(JSON.parse(jsonOf(result(['id', 'id'], [['1', null]])))).toEqual([{ id: '1', id_2: null }])
})
