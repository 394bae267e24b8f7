// Platform time, computed from the emulator's last report and the time since then.
import { describe, expect, it } from 'vitest'
import { isoOf, parseInstant, platformTimeAt } from '../../../../renderer/api/time.ts'

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

describe('parseInstant', () => {
  it('returns undefined for invalid instants', () => {
    expect(parseInstant('soon')).toBeUndefined()
  })
})
