// Comparing and joining exposure contracts: columns, renamed tables, and names that objects inherit.
import { describe, expect, it } from 'vitest'
import { compareExposure, wideningText } from '../../../../emulator/contract/compare-exposure.ts'
import type {
  ExposedTable,
  ExposureContract,
  TableExposure,
} from '../../../../emulator/contract/exposure-contract.ts'
import { joinContracts } from '../../../../emulator/contract/join-contracts.ts'

const CLOSED: TableExposure = { select: 'none', insert: 'none', update: 'none', delete: 'none' }

function table(columns: readonly string[], anon: Partial<TableExposure> = {}): ExposedTable {
  return { columns, anon: { ...CLOSED, ...anon }, new_user: CLOSED }
}

function contract(
  tables: Readonly<Record<string, ExposedTable>>,
  others: Partial<ExposureContract> = {},
): ExposureContract {
  const format = 'tenantry-exposure-contract'
  return { format, version: 1, tables, functions: {}, buckets: {}, ...others }
}

function differences(before: ExposureContract, after: ExposureContract) {
  const { changes, widened } = compareExposure(before, after)
  return { widened: widened.map(wideningText), changes }
}

describe('compareExposure', () => {
  it('compares the columns that a command can reach', () => {
    const before = contract({ t: table(['a', 'b'], { select: 'all', columns: { select: ['a'] } }) })
    const after = contract({ t: table(['a', 'b'], { select: 'all', columns: { select: ['b'] } }) })
    expect(differences(before, after)).toEqual({
      widened: ['anon sees the column b of t. The contract does not list it.'],
      changes: ['anon no longer sees the column a of t.'],
    })
  })

  it('ignores a new column that no identity reaches', () => {
    const after = contract({ t: table(['a', 'b']) })
    expect(differences(contract({ t: table(['a']) }), after)).toEqual({ widened: [], changes: [] })
  })

  it('compares a renamed table with the contract of its old name', () => {
    const before = contract({ old: table(['a'], { select: 'some' }) })
    const after = contract({ fresh: table(['a'], { select: 'all' }) })
    expect(differences(before, after)).toEqual({
      widened: ['anon sees every row of fresh. The contract allows some rows.'],
      changes: [
        'old is now called fresh, which has the same columns. It was compared with the contract of old.',
      ],
    })
  })

  it('treats two tables as new when both have the columns of a removed table', () => {
    const before = contract({ old: table(['a'], { select: 'all' }) })
    const after = contract({ one: table(['a'], { select: 'all' }), two: table(['a']) })
    expect(differences(before, after)).toEqual({
      widened: ['anon sees every row of one. The contract does not have the table.'],
      changes: [
        'The contract does not have the table two. No identity reaches its rows.',
        'The table old does not exist any more.',
      ],
    })
  })

  it('does not mistake inherited names such as constructor for members of the contract', () => {
    const after = contract(
      { constructor: table(['a'], { select: 'all' }) },
      {
        functions: { toString: ['anon'] as const },
        buckets: { valueOf: { anon: 'none', new_user: 'write' } as const },
      },
    )
    expect(differences(contract({}), after).widened).toEqual([
      'anon sees every row of constructor. The contract does not have the table.',
      'anon executes the function toString. The contract does not allow it.',
      'new user reads and writes every file of the bucket valueOf. The contract does not have the bucket.',
    ])
  })
})

describe('joinContracts', () => {
  it('keeps the widest reach and all columns, sorted by name', () => {
    const joined = joinContracts([
      contract({ t: table(['a', 'b'], { select: 'some', columns: { select: ['a'] } }) }),
      contract(
        { s: table(['x']), t: table(['a', 'b'], { select: 'all', columns: { select: ['b'] } }) },
        { functions: { 'f()': ['new_user'] } },
      ),
      contract({}, { functions: { 'f()': ['anon'] } }),
    ])
    expect(Object.keys(joined.tables)).toEqual(['s', 't'])
    expect(joined.tables['t']?.anon).toEqual({ ...CLOSED, select: 'all' })
    expect(joined.functions).toEqual({ 'f()': ['anon', 'new_user'] })
  })
})
