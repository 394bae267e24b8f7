import { describe, expect, it } from 'vitest'
import type { HistoryWrite, RowHistoryEntry } from '../../../../../emulator/contract/history.ts'
import { lastWriter } from '../../../../../renderer/features/tables/last-writers.ts'
import { movedBy, positionOf } from '../../../../../renderer/features/tables/past/timeline-steps.ts'

const write = (sequence: number, request: string | null): HistoryWrite => ({
  sequence,
  at: '2026-01-01T00:00:00Z',
  request_id: request,
  role: 'anon',
  user_id: null,
  tables: ['rooms'],
})
const STEPS = [write(10, 'a'), write(20, null), write(30, 'c')]
const stateBefore = (sequence: number) => ({
  before_sequence: sequence,
  at: null,
  request_id: null,
  changes_taken_back: 1,
  gaps: [],
})

describe('the position on the timeline', () => {
  it.each([
    [undefined, undefined, 3, true],
    ['a', undefined, 0, true],
    ['20', undefined, 1, true],
    ['other', stateBefore(15), 1, false],
    ['other', stateBefore(40), 3, false],
    ['other', undefined, 3, false],
  ])('of %s is found', (at, past, index, isExact) => {
    expect(positionOf(STEPS, at, past)).toEqual({ index, isExact })
  })

  it.each([
    ['ArrowLeft', 2, true, 1],
    ['ArrowLeft', 0, true, 0],
    ['ArrowRight', 2, true, 3],
    ['ArrowRight', 3, true, 3],
    ['ArrowRight', 2, false, 2],
    ['PageDown', 3, true, 0],
    ['Home', 2, true, 0],
    ['End', 0, true, 3],
    ['x', 1, true, undefined],
  ])('moves with %s from %i', (key, index, isExact, to) => {
    expect(movedBy(key, { index, isExact }, 3)).toBe(to)
  })
})

type Columns = RowHistoryEntry['columns']
const change = (
  sequence: number,
  kind: RowHistoryEntry['kind'],
  columns: Columns,
): RowHistoryEntry => ({
  sequence,
  kind,
  columns,
  at: '',
  transaction: '1',
  request_id: null,
  role: 'anon',
  user_id: null,
  table: 'rooms',
  key: { id: '1' },
})

describe('the last writer of a column', () => {
  const created = change(1, 'INSERT', { id: [null, '1'], name: [null, 'a'] })
  const renamed = change(2, 'UPDATE', { name: ['a', 'b'] })
  const again = change(3, 'UPDATE', { name: ['b', 'c'] })
  const changes = [again, renamed, created]
  const known = (entry: RowHistoryEntry) => ({ kind: 'change', change: entry })

  it.each([
    ['the newest change of the column', 'name', 'c', undefined, known(again)],
    ['the newest change before an instant', 'name', 'b', 3, known(renamed)],
    ['the creation of the row', 'id', '1', undefined, known(created)],
    ['the creation, for a column that has no value', 'note', null, undefined, known(created)],
    [
      'the structure, for a column with a later value',
      'color',
      'w',
      undefined,
      { kind: 'structure' },
    ],
    ['unknown before the history', 'name', 'a', 1, { kind: 'unknown' }],
  ])('is %s', (_, column, value, sequence, writer) => {
    expect(lastWriter({ changes }, column, value, sequence)).toEqual(writer)
  })

  it('is not that of a deleted row with the same key', () => {
    expect(lastWriter({ changes: [change(4, 'DELETE', {}), ...changes] }, 'name', 'x')).toEqual({
      kind: 'unknown',
    })
  })
})
