import { describe, expect, it } from 'vitest'
import { ALIKE, closestNames } from '../../../../emulator/services/data/plan/closest-name.ts'

const best = (names: readonly string[], wanted: string, minScore = ALIKE) =>
  closestNames(names, wanted, minScore)[0]?.name

describe('the closest name', () => {
  it('is the one with the fewest edits', () => {
    expect(best(['patient', 'patients', 'visits'], 'patientss')).toBe('patients')
  })

  it('is found regardless of case', () => {
    expect(closestNames(['Patients'], 'pATIENTS', ALIKE)).toEqual([{ name: 'Patients', score: 1 }])
  })

  it('is absent when too many letters differ', () => {
    expect(best(['patients'], 'visits')).toBeUndefined()
    expect(best(['patients'], 'patxxxts')).toBeUndefined()
    expect(best([], 'patients')).toBeUndefined()
  })

  it('is the last of several names with the same number of edits', () => {
    expect(best(['visita', 'visitb', 'visitc'], 'visits')).toBe('visitc')
  })

  it('is the lower-case name when several names differ only in case', () => {
    expect(best(['VISIT', 'visit', 'Visit'], 'visiT')).toBe('visit')
  })

  it('must share a sequence of letters, whatever its other characters', () => {
    expect(best(['_%_'], '_%%')).toBeUndefined()
    expect(best(['visit_notes'], 'visit notes')).toBe('visit_notes')
  })

  it('is searched among the fifty names with the most letter sequences in common', () => {
    const near = Array.from({ length: 60 }, (_, index) => `abcdefgh${'xyz'.repeat(index)}`)
    expect(closestNames(near, 'abcdefghx', 0)).toHaveLength(50)
  })

  it('is found quickly for a very long name', () => {
    const long = 'abc'.repeat(5_000)
    expect(
      closestNames(
        Array.from({ length: 300 }, (_, index) => `abc${index}`),
        long,
        ALIKE,
      ),
    ).toEqual([])
  })

  it('is found for names that are shorter than a letter sequence', () => {
    expect(best(['ab'], 'b', 0.33)).toBe('ab')
    expect(best(['ab'], '')).toBeUndefined()
  })
})
