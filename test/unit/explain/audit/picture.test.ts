// The cells of an audit, and their differences from a baseline.
import { describe, expect, it } from 'vitest'
import { SqlError } from '../../../../emulator/database/engine.ts'
import { acceptanceOf } from '../../../../emulator/insight/explain/audit/acceptance.ts'
import { cellOf, compareCells } from '../../../../emulator/insight/explain/audit/picture.ts'
import {
  type Count,
  joinParts,
  pageRanges,
} from '../../../../emulator/insight/explain/audit/row-counts.ts'

const seen = (...numbers: readonly string[]): Count => ({ rows: numbers.length, numbers })

describe('the audit’s cell for a table and an identity', () => {
  it.each<[Count, number | undefined, string, string]>([
    [seen('a', 'b'), 2, 'all', '2: a b'],
    [seen('a'), 2, 'some', '1: a'],
    [seen(), 2, 'none', '0'],
    [seen(), 0, 'none', '0'],
    [seen('a'), undefined, 'some', '1: a'],
    [{ rows: 900, numbers: ['f00'] }, 900, 'all', '900: f00'],
    [undefined, 2, 'refused', 'refused'],
    [new SqlError('42501', 'permission denied'), 2, 'refused', 'refused'],
    [new SqlError('42P17', 'infinite recursion'), 2, 'failed', 'failed'],
  ])('for %j of %s rows is %s', (count, total, word, baseline) => {
    expect(cellOf(count, total)).toMatchObject({ seen: word, baseline })
  })
})

describe('a comparison with the baseline', () => {
  const compare = (before: string | undefined, count: Count) =>
    compareCells(before === undefined ? {} : { notes: { anon: before } }, [
      { table: 'notes', identity: 'anon', cell: cellOf(count, 900) },
    ]).map(({ kind, newRow }) => [kind, newRow])

  it.each<[string | undefined, Count, readonly unknown[]]>([
    ['2: a b', seen('a', 'b'), []],
    ['refused', seen(), []],
    [undefined, seen(), []],
    [undefined, seen('a'), [['sees-more', 'a']]],
    ['1: a', seen('a', 'b'), [['sees-more', 'b']]],
    ['1: a', seen('b'), [['sees-more', 'b']]],
    ['2: a b', seen('b'), [['sees-less', undefined]]],
    ['2: a a', seen('a'), [['sees-less', undefined]]],
    ['1: a', seen('a', 'a'), [['sees-more', undefined]]],
    ['2: a b', undefined, [['sees-less', undefined]]],
    ['900: f00', { rows: 900, numbers: ['f00'] }, []],
    ['900: f00', { rows: 900, numbers: ['f01'] }, [['sees-more', undefined]]],
    ['900: f00', seen('a'), [['sees-less', undefined]]],
    ['1: a', { rows: 900, numbers: ['f00'] }, [['sees-more', undefined]]],
  ])('reports the change from %s to %j', (before, count, changes) => {
    expect(compare(before, count)).toEqual(changes)
  })
})

describe('the reason for accepting a finding', () => {
  it.each([
    ['tenantry: allow no-policy only the server reads', 'only the server reads'],
    ['About notes.\n  -- tenantry: allow no-policy  by design ', 'by design'],
    ['tenantry: allow no-policy', 'no reason given'],
    ['tenantry: allow no-policy-at-all x', null],
    ['see tenantry: allow no-policy x', null],
    [null, null],
  ])('in the comment %j is %j', (comment, reason) => {
    expect(acceptanceOf('no-policy', [undefined, comment])).toBe(reason)
  })
})

describe('the row count of a table', () => {
  it.each([
    [20_000, 200, 20],
    [1_001, 1, 1],
    [5_000, 3, 3],
    [1_000_000, 2, 2],
  ])('with %s rows on %s pages has %s parts without gaps', (rows, pages, parts) => {
    const ranges = pageRanges(rows, pages)
    expect(ranges).toHaveLength(parts)
    expect(ranges[0]?.from).toBe(0)
    expect(ranges.slice(1).map(({ from }) => from)).toEqual(ranges.slice(0, -1).map(({ to }) => to))
    expect(ranges.at(-1)?.to).toBeGreaterThan(4_000_000_000)
  })

  it('has the number of each row when the table has few rows', () => {
    const part = (...numbers: readonly string[]) => ({
      rows: numbers.length,
      combined: '1',
      numbers,
    })
    expect(joinParts([part('b'), part(), part('a')])).toEqual({ rows: 2, numbers: ['a', 'b'] })
  })

  it('has one number for all rows when the table has many rows', () => {
    const part = { rows: 40, combined: 'ffffffffffffff0f', numbers: [] }
    const other = { rows: 0, combined: '', numbers: [] }
    expect(joinParts([part, { ...part, combined: 'f0' }, other])).toEqual({
      rows: 80,
      numbers: ['ffffffffffffffff'],
    })
  })

  it('is the error when counting a part failed', () => {
    const error = new SqlError('57014', 'too slow')
    expect(joinParts([{ rows: 1, combined: '1', numbers: ['1'] }, error])).toBe(error)
  })
})
