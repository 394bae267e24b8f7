import { describe, expect, it } from 'vitest'
import { ALIKE, closestNames } from '../../../../emulator/data/plan/closest-name.ts'

const best = (names: readonly string[], wanted: string, minScore = ALIKE) =>
  closestNames(names, wanted, minScore)[0]?.name

describe('the closest name', () => {
  it('is the one with the fewest edits', () => {
    expect(best(['patient', 'patients', 'visits'], 'patientss')).toBe('patients')
  })

  it('is found whatever its case', () => {
    expect(closestNames(['Patients'], 'pATIENTS', ALIKE)).toEqual([{ name: 'Patients', score: 1 }])
  })

  it('is none when too many letters differ', () => {
    expect(best(['patients'], 'visits')).toBeUndefined()
    expect(best(['patients'], 'patxxxts')).toBeUndefined()
    expect(best([], 'patients')).toBeUndefined()
  })

  it('is found for names shorter than a run of letters', () => {
    expect(best(['ab'], 'b', 0.33)).toBe('ab')
    expect(best(['ab'], '')).toBeUndefined()
  })
})
