import { describe, expect, it } from 'vitest'
import { trusted } from '../../../emulator/core/names.ts'
import type { Project } from '../../../emulator/platform/projects/project.ts'
import {
  isAllowed,
  isAllowedEntry,
  parseFileSize,
  requireMediaType,
} from '../../../emulator/services/storage/buckets/bucket-limits.ts'
import {
  isBucketName,
  isOwnBucketName,
  problemOfOwner,
} from '../../../emulator/services/storage/buckets/bucket-name.ts'
import { parseRange } from '../../../emulator/services/storage/downloads/serve-object.ts'
import {
  isFolderPlaceholder,
  isObjectKey,
} from '../../../emulator/services/storage/objects/object-key.ts'

describe('object keys', () => {
  it.each([..."aZ09_/!.*'() &$@=;:+,?-"])('accept %j', (character) => {
    expect(isObjectKey(`a${character}b`)).toBe(true)
  })

  it.each([...'éñ#%[]~^`|\\{}<>"\0\n\t😀', '\u200b'])('refuse %j', (character) => {
    expect(isObjectKey(`a${character}b`)).toBe(false)
  })

  it.each(['..', '../x', 'a//b', '/', 'a/', '.', 'x'.repeat(5_000)])(
    'can be unusual text: %j',
    (key) => {
      expect(isObjectKey(key)).toBe(true)
    },
  )

  it('are not empty', () => {
    expect(isObjectKey('')).toBe(false)
  })

  it('may be the placeholder of an empty folder', () => {
    expect([isFolderPlaceholder('a/.emptyFolderPlaceholder'), isFolderPlaceholder('a')]).toEqual([
      true,
      false,
    ])
  })
})

describe('bucket names', () => {
  it.each(['a', 'proj_x_a b', 'x'.repeat(100), "a!.*'()&$@=;:+,?-"])('accept %j', (name) => {
    expect(isBucketName(name)).toBe(true)
  })

  it.each(['', ' a', 'a ', 'a/b', 'é', 'x'.repeat(101), 'a#b'])('refuse %j', (name) => {
    expect(isBucketName(name)).toBe(false)
  })

  it.each([
    ['proj_acme_files', true],
    ['proj_acme_', false],
    ['proj_acme', false],
    ['files', false],
    ['proj_other_files', false],
  ])('belong to the project only with the project’s prefix: %j is %j', (name, isOwn) => {
    expect(isOwnBucketName(trusted.schemaName('proj_acme'), name)).toBe(isOwn)
  })
})

describe('the owner of a bucket name', () => {
  const states = new Map([
    ['proj_a', 'active'],
    ['proj_a_b', 'deleted'],
    ['proj_a_gone', 'purged'],
  ])
  const projects = {
    findProjectBySchema: (schemaName: string) => {
      const state = states.get(schemaName)
      return state === undefined ? undefined : ({ state } as Project)
    },
  }

  it.each([
    ['proj_a', 'proj_a_x', undefined],
    ['proj_a', 'proj_a_b', undefined],
    ['proj_a', 'proj_a_bc_x', undefined],
    ['proj_a', 'proj_a_gone_x', undefined],
    ['proj_a', 'proj_a_b_x', 'proj_a_b'],
    ['proj_a', 'proj_a_b__', 'proj_a_b'],
    ['proj_a', 'proj_a_b_', undefined],
    ['proj_a_b', 'proj_a_b_x', undefined],
  ])('for project %s and name %s is another project: %j', (schemaName, fullName, other) => {
    const problem = problemOfOwner(projects, trusted.schemaName(schemaName), fullName)
    expect(problem).toBe(other && `names that begin with ${other}_ belong to another project`)
  })
})

describe('parseFileSize', () => {
  it.each([
    [7, 7],
    [null, null],
    [undefined, undefined],
    ['20MB', 20_000_000],
    ['1.5GB', 1_500_000_000],
    ['30kb', 30_000],
    ['3B', 3],
    ['1234', 1_234],
  ])('reads %j as %j', (text, bytes) => {
    expect(parseFileSize(text)).toBe(bytes)
  })

  it.each(['', 'MB', '20 miles', '-1MB', '1e3'])('refuses %j', (text) => {
    expect(() => parseFileSize(text)).toThrow(/hint: use 20GB/)
  })
})

describe('media types', () => {
  it.each([
    ['image/png', ['image/png'], true],
    ['image/png', ['image/*'], true],
    ['image/png', ['*'], true],
    ['image/png', undefined, true],
    ['image/png', [], true],
    ['image/png', ['image/jpeg', 'text/*'], false],
    ['text/plain;charset=UTF-8', ['text/plain'], false],
    ['text/plain;charset=UTF-8', ['text/*'], true],
  ])('are checked against a bucket’s list: %j against %j is %j', (mimeType, allowed, verdict) => {
    expect(isAllowed(mimeType, allowed)).toBe(verdict)
  })

  it.each(['*', 'image/*', 'image/svg+xml', 'text/plain; charset=utf-8'])(
    'are accepted in a bucket’s list of types: %j',
    (entry) => {
      expect(isAllowedEntry(entry)).toBe(true)
    },
  )

  it.each(['image', '', '/', 'image/png/x', `a/${'x'.repeat(1_000)}`])(
    'are refused in a bucket’s list of types: %j',
    (entry) => {
      expect(isAllowedEntry(entry)).toBe(false)
    },
  )

  it.each(['nonsense', '', 'a b/c'])('are refused when malformed: %j', (text) => {
    expect(() => requireMediaType(text)).toThrow('Invalid Content-Type header')
  })
})

describe('byte ranges of an object', () => {
  it.each([
    ['bytes=0-3', 0, 3],
    ['bytes=4-', 4, 9],
    ['bytes=-3', 7, 9],
    ['bytes=-30', 0, 9],
    ['bytes=8-100', 8, 9],
  ])('can be %s of 10 bytes', (header, first, last) => {
    expect(parseRange(header, 10)).toEqual({ first, last })
  })

  it.each(['bytes=10-', 'bytes=5-4', 'bytes=0-1,3-4', 'bytes=-', 'bytes=-0', 'lines=1-2', 'x'])(
    'cannot be %s of 10 bytes',
    (header) => {
      expect(() => parseRange(header, 10)).toThrow('invalid range provided')
    },
  )

  it('are the whole object without the header', () => {
    expect(parseRange(null, 10)).toBeUndefined()
  })

  it('are refused for an empty object', () => {
    expect(() => parseRange('bytes=-1', 0)).toThrow('invalid range provided')
  })
})
