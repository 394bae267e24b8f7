// Paths from stored values stay in their folder.
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { placeInside, plainPath, storedPlace } from '../../../emulator/core/plain-paths.ts'

const UNSAFE = ['', '.', '..', '../a', 'a/../../b', 'a\\b', '/etc', 'C:', 'a\0', '.hidden', 'a\n']

it.each(UNSAFE)('refuses the stored name %j', (name) => {
  expect(() => plainPath('/data', name)).toThrow(/is stored as a name/)
})

it('returns a path directly inside the folder for every name that it accepts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 8 }), (name) => {
      const path = attempt(() => plainPath('/data', name))
      expect(path === undefined || path === join('/data', name)).toBe(true)
      expect(path?.slice('/data/'.length) ?? '').not.toMatch(/[/\\]|^\.\.?$/)
    }),
  )
})

it('resolves a stored path inside a root, including an absolute path', () => {
  expect(placeInside('/data', storedPlace('/data', '/data/baselines/1-2/postgres'))).toBe(
    '/data/baselines/1-2/postgres',
  )
  expect(placeInside('/data', '/data/snapshots/a')).toBe('/data/snapshots/a')
})

it.each(['/etc', '../other', 'snapshots/../../other', '/data/../etc', '/data', ''])(
  'refuses the path %j',
  (place) => {
    expect(() => placeInside('/data', place)).toThrow(/is stored as a name/)
  },
)

function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
