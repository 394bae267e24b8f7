import { describe, expect, it } from 'vitest'
import {
  requireRedirect,
  withFragment,
  withQuery,
} from '../../../../emulator/services/auth/request/redirects.ts'

const LISTED = 'https://app.example.com/welcome?from=mail'
const settings = { redirectUrls: [LISTED, 'myapp://signed-in'] }

describe('requireRedirect', () => {
  it.each([
    LISTED,
    'myapp://signed-in',
    'http://localhost',
    'http://localhost:3000',
    'http://localhost:3000/any/path?query=1',
    'http://127.0.0.1:1/x',
    'HTTP://LOCALHOST:3000/',
  ])('allows %s', (address) => {
    expect(requireRedirect(settings, address)).toBe(address)
  })

  it.each([
    ['another path', 'https://app.example.com/welcome'],
    ['a listed one with more behind it', `${LISTED}&more=1`],
    ['another case', 'https://APP.example.com/welcome?from=mail'],
    ['a fragment', 'http://localhost:3000/#/app'],
    ['a host that begins like loopback', 'http://localhost.evil.example'],
    ['loopback as a user name', 'http://localhost:3000@evil.example'],
    ['credentials', 'http://user:secret@localhost:3000'],
    ['https on loopback', 'https://localhost:3000'],
    ['a backslash', 'http://localhost\\@evil.example'],
    ['a backslash in the path', 'http://localhost:3000/\\evil.example'],
    ['no slashes', 'http:localhost'],
    ['one slash', 'http:/localhost'],
    ['three slashes', 'http:///localhost'],
    ['a scheme left out', '//localhost:3000'],
    ['loopback written short', 'http://127.1'],
    ['loopback as a number', 'http://2130706433'],
    ['loopback of IPv6', 'http://[::1]:3000'],
    ['a dot behind the host', 'http://localhost.:3000'],
    ['a port too high', 'http://localhost:65536'],
    ['a line break', 'http://localhost:3000/\r\nset-cookie: a=b'],
    ['a tab', 'http://localhost:3000/\t'],
    ['letters beyond ASCII', 'http://localhost:3000/é'],
    ['a script', 'javascript:alert(1)'],
    ['no address', 'welcome'],
    ['nothing', ''],
    ['10,000 characters', `http://localhost/${'a'.repeat(10_000)}`],
  ])('refuses %s', (_, address) => {
    expect(() => requireRedirect(settings, address)).toThrow(
      expect.objectContaining({ code: 'invalid_redirect' }),
    )
  })

  it('uses the first listed address when the request has no address', () => {
    expect(requireRedirect(settings, undefined)).toBe(LISTED)
  })

  it('uses port 3000 of this machine when no address is requested or listed', () => {
    expect(requireRedirect({ redirectUrls: [] }, null)).toBe('http://localhost:3000')
  })
})

describe('withQuery', () => {
  it('adds a query to an address without a query', () => {
    expect(withQuery('http://localhost:3000', { error: 'a b' })).toBe(
      'http://localhost:3000?error=a+b',
    )
  })

  it('appends to the query of an address', () => {
    expect(withQuery(LISTED, { error: 'x' })).toBe(`${LISTED}&error=x`)
  })
})

describe('withFragment', () => {
  it('adds a fragment without changing the rest of the address', () => {
    expect(withFragment('http://localhost:3000', { token: 'a&b' })).toBe(
      'http://localhost:3000#token=a%26b',
    )
  })

  it('escapes characters that are not allowed in a header', () => {
    expect(withFragment('https://example.com/olá', { token: 'x' })).toBe(
      'https://example.com/ol%C3%A1#token=x',
    )
  })
})
