import { describe, expect, it } from 'vitest'
import { describeClock } from '../../../emulator/cli/commands/clock.ts'

const NOW = '2027-01-01T09:00:00.000Z'
const SERVER = { now: NOW, frozen: false, offset_ms: 0, moves_sql_time: false }

describe('a moved clock', () => {
  it('is shown with its offset from this machine’s clock', () => {
    const state = { ...SERVER, offset_ms: 90_061_000, moves_sql_time: true }
    expect(describeClock(state)).toBe(`${NOW}, 1d1h1m1s ahead of this machine`)
  })

  it.each([{ offset_ms: -60_000 }, { frozen: true }])(
    'is shown with a note that a database server keeps its own time: %o',
    (moved) => {
      expect(describeClock({ ...SERVER, ...moved })).toContain(
        '\nSQL’s now() does not follow, because the PostgreSQL server keeps its own time.',
      )
    },
  )
})

it('does not mention the database server while the clock is not moved', () => {
  expect(describeClock(SERVER)).toBe(NOW)
})
