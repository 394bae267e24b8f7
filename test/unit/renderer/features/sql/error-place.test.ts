// The position of an error in the SQL text.
import { expect, it } from 'vitest'
import { lineOf } from '../../../../../renderer/parts/line-of.ts'

it.each([
  [0, { line: 1, column: 1, text: 'select 1' }],
  [7, { line: 1, column: 8, text: 'select 1' }],
  [9, { line: 2, column: 1, text: 'from x' }],
  [14, { line: 2, column: 6, text: 'from x' }],
  [99, { line: 2, column: 7, text: 'from x' }],
  [-1, { line: 1, column: 1, text: 'select 1' }],
])('lineOf finds the line and the column of offset %i', (offset, line) => {
  expect(lineOf('select 1\nfrom x', offset)).toEqual(line)
})
