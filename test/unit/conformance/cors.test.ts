import { describe, expect, it } from 'vitest'
import { preflightAnswer, readingHeaders } from '../../conformance/cors.ts'

const PAGE = 'https://page.test'
const EXPOSED = 'Access-Control-Expose-Headers'

function preflight(headers: Record<string, string>, allowed: string[] | null, method = 'OPTIONS') {
  const found = preflightAnswer({ method, headers: new Headers(headers) }, allowed)
  return found && Object.fromEntries(found)
}

function reading(origin: string | undefined, allowed: string[] | null) {
  const headers = new Headers(origin === undefined ? {} : { origin })
  return Object.fromEntries(readingHeaders(headers, allowed))
}

describe('readingHeaders', () => {
  it('adds no headers for a request without an origin', () => {
    expect(reading(undefined, null)).toEqual({})
  })

  it('lets every origin read when no origins are configured', () => {
    expect(reading(PAGE, null)).toMatchObject({ 'Access-Control-Allow-Origin': '*' })
    expect(reading(PAGE, null)[EXPOSED]).toMatch(/^Content-Encoding, .*, Range-Unit$/)
  })

  it('lets only the configured origins read, with credentials', () => {
    expect(reading(PAGE, [PAGE])).toMatchObject({
      'Access-Control-Allow-Origin': PAGE,
      'Access-Control-Allow-Credentials': 'true',
    })
    expect(reading('https://other.test', [PAGE])).toEqual({})
  })
})

describe('preflightAnswer', () => {
  const ASKING = {
    origin: PAGE,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'Foo,Bar , accept',
  }

  it('allows the requested methods and headers', () => {
    expect(preflight(ASKING, null)).toEqual({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD',
      'Access-Control-Allow-Headers':
        'Authorization, Foo, Bar, accept, Accept-Language, Content-Language',
      'Access-Control-Max-Age': '86400',
    })
  })

  it.each([
    ['another method than OPTIONS', ASKING, null, 'GET'],
    ['no method asked for', { origin: PAGE }, null, 'OPTIONS'],
    [
      'a method that is never allowed',
      { ...ASKING, 'access-control-request-method': 'TRACE' },
      null,
      'OPTIONS',
    ],
    ['a page that is not in the list', ASKING, ['https://other.test'], 'OPTIONS'],
  ])('returns nothing for %s', (_case, headers, allowed, method) => {
    expect(preflight(headers, allowed, method)).toBeUndefined()
  })
})
