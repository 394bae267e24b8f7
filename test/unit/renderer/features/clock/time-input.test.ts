// Parsing of instants and durations that a user types.
import { describe, expect, it } from 'vitest'
import { fieldOf, isoOfField, spanOf } from '../../../../../renderer/features/clock/time-input.ts'

describe('spanOf', () => {
  it.each([
    ['45', 45_000],
    ['90 min', 5_400_000],
    ['1 h 30 min', 5_400_000],
    ['1h30m', 5_400_000],
    ['+1 week', 604_800_000],
    ['-2 d', -172_800_000],
    ['−2 d', -172_800_000],
    ['0.5 h', 1_800_000],
    ['250 ms', 250],
  ])('reads %s', (text, millis) => {
    expect(spanOf(text)).toBe(millis)
  })

  it.each(['', 'soon', '1 fortnight', '1 h or so', 'h'])('does not accept %j as a span', (text) => {
    expect(spanOf(text)).toBeUndefined()
  })
})

describe('isoOfField', () => {
  it.each([
    ['2030-01-01T09:00', '2030-01-01T09:00:00Z'],
    ['2030-01-01T09:00:05', '2030-01-01T09:00:05Z'],
    ['2030-01-01 09:00:05', '2030-01-01T09:00:05Z'],
    ['2030-01-01 09:00:05 UTC', '2030-01-01T09:00:05Z'],
    ['2030-01-01T09:00:05.250', '2030-01-01T09:00:05.250Z'],
  ])('interprets %s as UTC', (text, iso) => {
    expect(isoOfField(text)).toBe(iso)
  })

  it('refuses a date without a time', () => {
    expect(isoOfField('2030-01-01')).toBeUndefined()
    expect(isoOfField('2030-01-01 25:00')).toBeUndefined()
  })

  it('returns the time that the field shows, to the second', () => {
    expect(isoOfField(fieldOf('2030-01-01T09:00:05.123Z'))).toBe('2030-01-01T09:00:05Z')
  })
})
