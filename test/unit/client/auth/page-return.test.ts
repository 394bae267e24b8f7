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
])('reads the sign-in result from the address %s', (href, found) => {
  expect(readReturn(href)).toEqual(found)
})

it('reads an error from the query of the address', () => {
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
])('ignores the address %s, which has no sign-in result', (href) => {
  expect(readReturn(href)).toBeUndefined()
})
