import { describe, expect, it } from 'vitest'
import { shownTarget } from '../../../emulator/platform/secrets/shown-secrets.ts'

const LONG = 'abcdefgh0123456789-0123456789'

describe('shownTarget', () => {
  it.each([
    ['a path', '/rooms', '/rooms'],
    ['a key', `/rooms?apikey=${LONG}&select=id`, '/rooms?apikey=abcdefgh…&select=id'],
    ['the token of a link', `/auth/v1/verify?token=${LONG}`, '/auth/v1/verify?token=abcdefgh…'],
    [
      'code and state of a callback',
      `/auth/v1/callback/google?code=${LONG}&state=${LONG}`,
      '/auth/v1/callback/google?code=abcdefgh…&state=abcdefgh…',
    ],
    ['a presigned URL', `/s3/b/k?X-Amz-Signature=${LONG}`, '/s3/b/k?X-Amz-Signature=abcdefgh…'],
    ['a six-digit code, whole', '/auth/v1/otp?code=123456', '/auth/v1/otp?code=…'],
    ['a password, whole', '/auth/v1/signin?password=secret', '/auth/v1/signin?password=…'],
    [
      'a name written otherwise',
      `/auth/v1/verify?%74oken=${LONG}`,
      '/auth/v1/verify?%74oken=abcdefgh…',
    ],
    ['a name in capitals', `/rooms?APIKEY=${LONG}`, '/rooms?APIKEY=abcdefgh…'],
    ['a value with equals signs', `/rooms?token=${LONG}==`, '/rooms?token=abcdefgh…'],
    [
      'a parameter given twice',
      `/a?token=${LONG}&token=${LONG}`,
      '/a?token=abcdefgh…&token=abcdefgh…',
    ],
    ['a parameter without value', '/auth/v1/verify?token=&code', '/auth/v1/verify?token=&code'],
    [
      'columns called code and state',
      '/orders?state=eq.open&code=eq.7',
      '/orders?state=eq.open&code=eq.7',
    ],
    ['what is no query at all', '/a?%&=&?', '/a?%&=&?'],
  ])('masks the secrets of the address %s', (_, target, shown) => {
    expect(shownTarget(target)).toBe(shown)
  })
})
