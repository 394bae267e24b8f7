import { describe, expect, it } from 'vitest'
import {
  parsePreferences,
  preferenceApplied,
} from '../../../../emulator/services/data/request/preferences.ts'

const parse = (header: string | null, mayEndTransaction = true) =>
  parsePreferences(header, { mayEndTransaction, isTimeZone: (name) => name === 'Europe/Lisbon' })

describe('Prefer', () => {
  it('is read with spaces around commas', () => {
    expect(parse('return=minimal ,  count=exact,missing=default')).toMatchObject({
      representation: 'minimal',
      count: 'exact',
      missing: 'default',
      invalid: [],
    })
  })

  it('uses the first of contradicting preferences', () => {
    expect(parse('tx=commit, tx=rollback, max-affected=1, max-affected=2')).toMatchObject({
      transaction: 'commit',
      maxAffected: 1,
    })
  })

  it('lists unknown preferences as invalid', () => {
    expect(parse('handling=strict, foo,, Count=exact, timezone=Mars')).toMatchObject({
      handling: 'strict',
      timeZone: undefined,
      invalid: ['foo', '', 'Count=exact', 'timezone=Mars'],
    })
  })

  it('refuses all time zones when the first is invalid', () => {
    expect(parse('timezone=Mars, timezone=Europe/Lisbon')).toMatchObject({
      timeZone: undefined,
      invalid: ['timezone=Mars', 'timezone=Europe/Lisbon'],
    })
    expect(parse('timezone=Europe/Lisbon, timezone=Mars')).toMatchObject({
      timeZone: 'Europe/Lisbon',
      invalid: [],
    })
  })

  it.each([
    ['max-affected=x, max-affected=2', undefined],
    ['max-affected=-1', -1],
    ['max-affected= ( 0x10 )', 16],
    ['max-affected=2.5', undefined],
    ['max-affected=18446744073709551617', 1],
  ])('reads %s', (header, maxAffected) => {
    expect(parse(header)).toMatchObject({ maxAffected, invalid: [] })
  })

  it('ignores tx when it is not allowed', () => {
    expect(parse('tx=rollback', false)).toMatchObject({ transaction: undefined, invalid: [] })
  })

  it('applies no preference without a header', () => {
    expect(preferenceApplied(parse(null))).toBeUndefined()
  })

  it('lists applied preferences in a fixed order', () => {
    expect(preferenceApplied(parse('max-affected=3, handling=strict, return=minimal'))).toBe(
      'return=minimal, handling=strict, max-affected=3',
    )
  })
})
