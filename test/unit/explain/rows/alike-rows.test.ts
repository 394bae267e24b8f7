// Which rows count as alike, so that one evaluation is valid for all of them.
import { describe, expect, it } from 'vitest'
import { alikeRows } from '../../../../emulator/insight/explain/rows/evaluate.ts'
import type { Column } from '../../../../emulator/insight/tables/table.ts'

const tableOf = (...names: readonly string[]) => ({
  columns: names.map((name) => ({ name }) as Column),
})
const ROWS = ['(1,ana,5)', '(2,ana,5)', '(3,rui,5)']
const PATIENTS = tableOf('id', 'owner', 'age')

describe('alike rows', () => {
  it('have equal values in all columns that the expressions read', () => {
    expect(alikeRows(PATIENTS, ['(owner = auth.uid())'], ROWS)).toEqual({
      kinds: ['(1,ana,5)', '(3,rui,5)'],
      kindOf: [0, 0, 1],
    })
  })

  it('are all rows when the expression reads no column', () => {
    expect(alikeRows(PATIENTS, ["(auth.role() = 'x'::text)"], ROWS).kindOf).toEqual([0, 0, 0])
  })

  it('are only equal rows when the expression reads the whole row', () => {
    expect(alikeRows(PATIENTS, ['mine(patients.*)'], ROWS)).toEqual({
      kinds: ROWS,
      kindOf: [0, 1, 2],
    })
  })

  it('have equal values even in read columns whose names need quotes', () => {
    const table = tableOf('full "name"', 'é')
    const rows = ['(a,1)', '(a,2)', '(b,1)']
    expect(alikeRows(table, ['("full ""name""" IS NULL)'], rows).kindOf).toEqual([0, 0, 1])
    expect(alikeRows(table, ['("é" > 1)'], rows).kindOf).toEqual([0, 1, 0])
  })

  it('are not affected by a longer name that contains the name of a column', () => {
    expect(alikeRows(PATIENTS, ['(owner = auth.uid())', '(page > 1)'], ROWS).kinds).toHaveLength(2)
  })

  it('do not mix null and empty text', () => {
    expect(alikeRows(PATIENTS, ['owner'], ['(1,,5)', '(1,"",5)']).kindOf).toEqual([0, 1])
  })

  it('do not mix cells that give the same text when joined', () => {
    const table = tableOf('a', 'b', 'c')
    expect(alikeRows(table, ['a', 'b'], ['(x=,y,)', '(x,=y,)']).kindOf).toEqual([0, 1])
  })
})
