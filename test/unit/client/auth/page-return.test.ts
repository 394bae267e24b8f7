import { expect, it } from 'vitest'
import { readReturn } from '../../../../client/auth/page-return.ts'

it.each([
  [
    'http://app.test/?tab=2&code=abc#top',
    { kind: 'code', code: 'abc', cleanUrl: 'http://app.test/?tab=2#top' },
  ],
  [
    'http://app.test/in#access_token=a&refresh_token=r&token_type=bearer',
    { kind: 'tokens', refreshToken: 'r', cleanUrl: 'http://app.test/in' },
  ],
])('reads %s', (href, found) => {
  expect(readReturn(href)).toEqual(found)
})

it('reads a refusal from the query', () => {
  const found = readReturn('http://app.test/?error=access_denied&error_description=No%20thanks')
  expect(found).toMatchObject({
    kind: 'refusal',
    cleanUrl: 'http://app.test/',
    error: { code: 'access_denied', message: 'No thanks', status: 0 },
  })
})

it.each([
  'http://app.test/',
  'http://app.test/reset#token=secret',
  'http://app.test/?page=1#/route',
  'http://app.test/?error=my-own',
])('leaves %s to the page', (href) => {
  expect(readReturn(href)).toBeUndefined()
})
