import { describe, expect, it } from 'vitest'
import {
  parsePreferences,
  preferenceApplied,
} from '../../../../emulator/data/request/preferences.ts'

const parse = (header: string | null, mayEndTransaction = true) =>
  parsePreferences(header, { mayEndTransaction, isTimeZone: (name) => name === 'Europe/Lisbon' })

describe('Prefer', () => {
  it('is read with blanks anywhere', () => {
    expect(parse('return=minimal ,  count=exact,missing=default')).toMatchObject({
      representation: 'minimal',
      count: 'exact',
      missing: 'default',
      invalid: [],
    })
  })

  it('counts the first of contradicting ones', () => {
    expect(parse('tx=commit, tx=rollback, max-affected=1, max-affected=2')).toMatchObject({
      transaction: 'commit',
      maxAffected: 1,
    })
  })

  it('remembers what means nothing', () => {
    expect(parse('handling=strict, foo, timezone=Mars, timezone=Europe/Lisbon')).toMatchObject({
      handling: 'strict',
      timeZone: 'Europe/Lisbon',
      invalid: ['foo', 'timezone=Mars'],
    })
  })

  it('does not hear tx where it may not', () => {
    expect(parse('tx=rollback', false)).toMatchObject({ transaction: undefined, invalid: [] })
  })

  it('asks for nothing when there is none', () => {
    expect(preferenceApplied(parse(null))).toBeUndefined()
  })

  it('is told in one order when applied', () => {
    expect(preferenceApplied(parse('max-affected=3, handling=strict, return=minimal'))).toBe(
      'return=minimal, handling=strict, max-affected=3',
    )
  })
})
