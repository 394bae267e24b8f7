import { describe, expect, it } from 'vitest'
import { parseRoleClaimPath, roleIn } from '../../conformance/role-claim.ts'

const CLAIMS = {
  role: 'plain',
  'https://example.test/role': { key: 'author' },
  nested: { roles: ['other', 'author', 7], $deep_1: { '@': true } },
  empty: null,
}

describe('roleIn', () => {
  it.each([
    ['.role', 'plain'],
    ['."https://example.test/role".key', 'author'],
    ['.nested.roles[1]', 'author'],
    ['.nested.roles[2]', '7'],
    ['.nested.$deep_1.@', 'true'],
    ['.empty', 'null'],
    ['.nested.roles', '["other","author",7]'],
    ['.nested.roles[?(@ == "author")]', 'author'],
    ['.nested.roles[?(@ != "other")]', 'author'],
    ['.nested.roles[?(@ ^== "aut")]', 'author'],
    ['.nested.roles[?(@ ==^ "hor")]', 'author'],
    ['.nested.roles[?(@ *== "utho")]', 'author'],
    ['.nested.roles[?(@=="none")]', undefined],
    ['.nested.roles[9]', undefined],
    ['.nowhere.at.all', undefined],
    ['.role[0]', undefined],
    ['.toString', undefined],
  ])('follows the path %s to the role %s', (path, role) => {
    expect(roleIn(CLAIMS, parseRoleClaimPath(path))).toBe(role)
  })

  it('follows a list of path steps, also keys without quotes', () => {
    const path = parseRoleClaimPath(['.https://example.test/role', '.key'])
    expect(roleIn(CLAIMS, path)).toBe('author')
  })
})

describe('parseRoleClaimPath', () => {
  it.each(['', 'role', '.', '.a..b', '.a[x]', '.a[?(@ == "b")].c', '.a[?(@ = "b")]', '."a'])(
    'refuses %j',
    (path) => {
      expect(() => parseRoleClaimPath(path)).toThrow(SyntaxError)
    },
  )
})
