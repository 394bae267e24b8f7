// Platform time, computed from the emulator's last report and the time since then.
import { describe, expect, it } from 'vitest'
import {
  isClockMoved,
  isoOf,
  parseInstant,
  platformTimeAt,
  wallTimeAt,
} from '../../../../renderer/api/time.ts'

const told = (frozen: boolean) => ({
  state: { now: isoOf(1_000_000), frozen, offset_ms: 0, moves_sql_time: true },
  readAt: 500,
})

describe('platform time', () => {
  it('is wall time until the emulator reports its clock', () => {
    expect(platformTimeAt(undefined, 42)).toBe(42)
  })

  it('advances from the reported time', () => {
    expect(platformTimeAt(told(false), 1_700)).toBe(1_001_200)
  })

  it('does not advance while it is frozen', () => {
    expect(platformTimeAt(told(true), 99_999)).toBe(1_000_000)
  })
})

describe('the emulator’s wall-clock time', () => {
  const moved = (frozen: boolean) => {
    const { readAt, state } = told(frozen)
    return { readAt, state: { ...state, offset_ms: 600_000 } }
  }

  it('is this machine’s time until the emulator reports its clock', () => {
    expect(wallTimeAt(undefined, 42)).toBe(42)
  })

  it.each([false, true])(
    'advances from the reported time (platform clock frozen: %s)',
    (frozen) => {
      expect(wallTimeAt(moved(frozen), 1_700)).toBe(401_200)
    },
  )

  it('differs from platform time only after the platform clock was moved', () => {
    expect([undefined, told(true), moved(true)].map(isClockMoved)).toEqual([false, false, true])
  })
})

describe('parseInstant', () => {
  it('returns undefined for invalid instants', () => {
    expect(parseInstant('soon')).toBeUndefined()
  })
})
