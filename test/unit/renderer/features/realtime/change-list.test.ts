import { describe, expect, it } from 'vitest'
import type { JudgedChange } from '../../../../../emulator/contract/realtime.ts'
import {
  filterChanges,
  joinChanges,
  tablesOf,
} from '../../../../../renderer/features/realtime/changes/change-list.ts'
import { parseRealtimeSearch } from '../../../../../renderer/features/realtime/realtime-search.ts'
import { changeInALine, rowInALine } from '../../../../../renderer/parts/row-text.ts'
import { verdictWith } from './verdict.ts'

function changeWith(number: number, members: Partial<JudgedChange> = {}): JudgedChange {
  return {
    number,
    schema_name: 'proj_aurora',
    table: 'appointments',
    event: 'INSERT',
    committed_at: '2026-11-21T10:00:00.000Z',
    request_id: null,
    row: { id: number, state: 'booked' },
    old_row: null,
    verdicts: [verdictWith()],
    ...members,
  }
}
const numbers = (changes: readonly JudgedChange[]) => changes.map(({ number }) => number)

describe('joinChanges', () => {
  it('returns one project’s changes, newest first, each once', () => {
    const joined = joinChanges(
      [changeWith(2), changeWith(1)],
      [changeWith(2), changeWith(3), changeWith(4, { schema_name: 'proj_other' })],
      'proj_aurora',
    )
    expect(numbers(joined)).toEqual([3, 2, 1])
  })
})

describe('filterChanges', () => {
  const changes = [
    changeWith(3, { table: 'notes', event: 'DELETE' }),
    changeWith(2, { verdicts: [verdictWith({ verdict: 'hidden', subject: 'silva' })] }),
    changeWith(1, { row: null }),
  ]

  it.each([
    [{ table: 'notes' }, [3]],
    [{ event: 'INSERT' }, [2, 1]],
    [{ kept: 'yes' }, [2]],
    [{ q: 'booked 3' }, [3]],
    [{ q: 'SILVA' }, [2]],
  ] as const)('keeps the changes that match %o', (search, kept) => {
    expect(numbers(filterChanges(changes, search))).toEqual(kept)
  })

  it('lists the tables that occur in the changes', () => {
    expect(tablesOf(changes)).toEqual(['appointments', 'notes'])
  })
})

describe('rowInALine', () => {
  it('writes each value as readable text', () => {
    expect(rowInALine({ id: 4, details: { a: 1 }, room: null })).toBe(
      'id 4 · details {"a":1} · room null',
    )
    expect(rowInALine(null)).toBe('')
  })
})

describe('changeInALine', () => {
  it('writes the key and the changed values of an update', () => {
    const change = changeWith(4, {
      event: 'UPDATE',
      row: { id: 4, state: 'arrived', room: 2 },
      old_row: { id: 4, state: 'booked', room: 2 },
    })
    expect(changeInALine(change)).toBe('id 4 · state booked → arrived')
  })

  it('writes the whole row of any other change', () => {
    expect(changeInALine(changeWith(4))).toBe('id 4 · state booked')
  })
})

describe('parseRealtimeSearch', () => {
  it('reads known values and leaves out the rest', () => {
    expect(
      parseRealtimeSearch({ view: 'try', change: '7', event: 'TRUNCATE', table: '', q: 4 }),
    ).toEqual({ view: 'try', change: 7, q: '4' })
  })
})
