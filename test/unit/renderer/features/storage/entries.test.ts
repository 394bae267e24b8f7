// The entries that a folder shows, and names that storage accepts.
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../../../renderer/api/storage.ts'
import {
  GONE,
  PLACEHOLDER,
  problemOfKey,
  shownEntries,
  stepsOf,
  usableName,
  versionOf,
} from '../../../../../renderer/features/storage/entries.ts'

const file = (name: string, eTag = 'e1') =>
  ({
    id: name,
    name,
    updated_at: '2030',
    metadata: { size: 3, mimetype: 'text/plain', eTag },
  }) as Entry
const folder = (name: string) => ({ id: null, name, updated_at: null, metadata: null }) as Entry

describe('shownEntries', () => {
  it('lists folders first and hides the placeholder of empty folders', () => {
    const shown = shownEntries([file('a.txt'), file(PLACEHOLDER), folder('sub')], undefined, 'in/')
    expect(shown.map(({ key, isFolder }) => [key, isFolder])).toEqual([
      ['in/sub/', true],
      ['in/a.txt', false],
    ])
  })

  it('marks entries that the identity may not read', () => {
    const shown = shownEntries([file('a.txt'), file('b.txt')], [file('b.txt')], '')
    expect(shown.map(({ name, isHidden }) => [name, isHidden])).toEqual([
      ['a.txt', true],
      ['b.txt', false],
    ])
  })
})

describe('versionOf', () => {
  const shown = shownEntries([file('a.txt', 'e7')], undefined, 'in/')

  it.each([
    ['in/a.txt', '2030 e7'],
    ['in/b.txt', GONE],
    ['in/deeper/b.txt', 'elsewhere'],
    ['out/b.txt', 'elsewhere'],
  ])('returns the version of %s', (key, version) => {
    expect(versionOf(key, shown, 'in/')).toBe(version)
  })

  it('is undefined before the list is loaded', () => {
    expect(versionOf('in/a.txt', undefined, 'in/')).toBeUndefined()
  })
})

it('stepsOf lists every folder of a path', () => {
  expect(stepsOf('a/b/')).toEqual([
    { name: 'a', folder: 'a/' },
    { name: 'b', folder: 'a/b/' },
  ])
})

it.each([
  ['report (1).pdf', undefined],
  ['  ', 'Enter a name.'],
  ['relatório.pdf', expect.stringContaining('“ó”')],
])('problemOfKey checks the key %j', (key, problem) => {
  expect(problemOfKey(key)).toEqual(problem)
})

it.each([
  ['relatório final.pdf', 'relatorio final.pdf'],
  ['a/b#c%.txt', 'a_b_c_.txt'],
  ['日本.txt', '__.txt'],
])('usableName makes a valid name from %s', (name, usable) => {
  expect(usableName(name)).toBe(usable)
  expect(problemOfKey(usable)).toBeUndefined()
})
