import { describe, expect, it } from 'vitest'
import { findEntries } from '../../../../renderer/shell/palette-search.ts'
import { SCREENS } from '../../../../renderer/shell/screens.tsx'

const entry = (label: string, words = '', group = 'Actions') => ({ id: label, label, words, group })
const SCREEN_ENTRIES = SCREENS.map(({ label, words }) => entry(label, words, 'Screens'))
const ENTRIES = [...SCREEN_ENTRIES, entry('Provision tenant', 'create add new customer')]
const labelsOf = (typed: string, recent: readonly string[] = []) =>
  findEntries(ENTRIES, typed, recent).map(({ label }) => label)

describe('the palette', () => {
  it.each([
    ['polices', 'Policies'],
    ['rls', 'Policies'],
    ['logs', 'Requests'],
    ['jwt', 'Tokens'],
    ['impersonate', 'Users'],
    ['create tenant', 'Provision tenant'],
    ['tenant create', 'Provision tenant'],
    ['console sql', 'SQL console'],
  ])('lists for "%s" the entry %s first', (typed, label) => {
    expect(labelsOf(typed)[0]).toBe(label)
  })

  it('finds nothing for words that no entry has', () => {
    expect(labelsOf('xylophone')).toEqual([])
  })

  it('shows recent entries first while nothing is typed, and each entry once', () => {
    const labels = labelsOf('', ['Clock', 'gone', 'Audit'])
    expect(labels.slice(0, 2)).toEqual(['Clock', 'Audit'])
    expect(new Set(labels).size).toBe(ENTRIES.length)
  })

  it('shows search results of other sources before its own entries', () => {
    const found = { ...entry('ana@patients.test'), isFound: true }
    expect(findEntries([...ENTRIES, found], 'clock', []).map(({ label }) => label)).toEqual([
      'ana@patients.test',
      'Clock',
    ])
  })
})
