// The text format of instants, durations and sizes.
import { describe, expect, it } from 'vitest'
import {
  exactTime,
  formatBytes,
  formatDuration,
  relativeTime,
  timeOfDay,
} from '../../../../renderer/ui/format.ts'

const NOW = Date.parse('2026-11-21T10:00:00.123Z')
const MINUTE = 60_000

describe('relativeTime', () => {
  it.each([
    [0, 'just now'],
    [1_500, 'just now'],
    [-12_000, '12 s ago'],
    [5 * MINUTE, 'in 5 min'],
    [-3 * 60 * MINUTE, '3 h ago'],
    [-6 * 24 * 60 * MINUTE, '6 d ago'],
    [-40 * 24 * 60 * MINUTE, '12 Oct 2026'],
  ])('shows a time %i ms away as "%s"', (distance, text) => {
    expect(relativeTime(NOW + distance, NOW)).toBe(text)
  })
})

describe('exactTime', () => {
  it('names the time zone', () => {
    expect(exactTime(NOW)).toBe('2026-11-21 10:00:00.123 UTC')
  })

  it('leaves out the date when only the time of day is needed', () => {
    expect(timeOfDay(NOW)).toBe('10:00:00.123')
  })
})

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [0.44, '0.4 ms'],
    [12.4, '12 ms'],
    [1_250, '1.25 s'],
    [60_000, '1 min'],
    [185_000, '3 min 5 s'],
    [7_800_000, '2 h 10 min'],
    [-90_000_000, '−1 d 1 h'],
  ])('shows %f ms as "%s"', (millis, text) => {
    expect(formatDuration(millis)).toBe(text)
  })
})

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [1_023, '1023 B'],
    [1_024, '1 KB'],
    [12_800, '12.5 KB'],
    [1_073_741_824, '1 GB'],
  ])('shows %i bytes as "%s"', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })
})
