import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { DataError } from '../../../emulator/services/data/errors.ts'
import { bouncerOf, callerOf } from '../../conformance/bearer.ts'
import { parseConfiguration } from '../../conformance/configuration.ts'

const SECRET = 'a passphrase of thirty-two bytes'
const NOW = 1_800_000_000

type Options = Readonly<Record<string, unknown>>

function caller(authorization: string | null, options: Options = {}) {
  const given = { 'jwt-secret': SECRET, 'db-anon-role': 'anon', ...options }
  return callerOf(bouncerOf(parseConfiguration(given)), authorization, NOW)
}

function refusal(authorization: string | null, options: Options = {}) {
  try {
    return caller(authorization, options)
  } catch (error) {
    const { code, message, detailsValue } = error as DataError
    return { code, message, details: detailsValue }
  }
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function token(claims: unknown, header: object = {}, secret: string | Buffer = SECRET): string {
  const text = `${encoded({ alg: 'HS256', ...header })}.${encoded(claims)}`
  const hash = JSON.stringify(header).includes('HS512') ? 'sha512' : 'sha256'
  return `Bearer ${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
}

function signed(alg: string, hash: string | undefined, key: KeyObject, kid?: string): string {
  const text = `${encoded({ alg, kid })}.${encoded({ role: 'author' })}`
  const signature = sign(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `Bearer ${text}.${signature.toString('base64url')}`
}

describe('callerOf', () => {
  it('uses the anonymous role for a request without a bearer token', () => {
    for (const authorization of [null, 'Basic abc', 'BearerX abc'])
      expect(caller(authorization)).toEqual({
        role: 'anon',
        isAnonymous: true,
        claims: { role: 'anon' },
      })
  })

  it('uses the role that a token names, with the scheme in upper or lower case', () => {
    expect(caller(token({ sub: 'x', role: 'author' }).replace('Bearer ', 'bearer  '))).toEqual({
      role: 'author',
      isAnonymous: false,
      claims: { role: 'author', sub: 'x' },
    })
  })

  it('refuses requests without a token when there is no anonymous role', () => {
    const options = { 'db-anon-role': null }
    expect(refusal(null, options)).toMatchObject({ code: 'PGRST302' })
    expect(refusal(token({}), options)).toMatchObject({ code: 'PGRST302' })
    expect(caller(token({ role: 'author' }), options).role).toBe('author')
  })

  it('cannot verify any token without a secret', () => {
    expect(refusal('Bearer ', { 'jwt-secret': null })).toMatchObject({ code: 'PGRST300' })
    expect(caller(null, { 'jwt-secret': null }).role).toBe('anon')
  })

  it.each([
    ['Bearer', 'Empty JWT is sent in Authorization header', null],
    ['Bearer a.b', 'Expected 3 parts in JWT; got 2', null],
    ['Bearer a.b.c.d', 'Expected 3 parts in JWT; got 4', null],
    ['Bearer ..', 'JWT cryptographic operation failed', null],
    [`Bearer ${encoded({ alg: 'PS256' })}.e30.`, 'JWT cryptographic operation failed', null],
    [`Bearer ${encoded({ alg: 'HS256' })}.e30=.`, 'JWT cryptographic operation failed', null],
    [
      `Bearer ${encoded({ alg: 'none' })}.e30.`,
      'Wrong or unsupported encoding algorithm',
      "JWT is unsecured but expected 'alg' was not 'none'",
    ],
    [
      token({}, {}, 'another secret'),
      'No suitable key or wrong key type',
      'None of the keys was able to decode the JWT',
    ],
    [
      token({}, { alg: 'HS512' }),
      'No suitable key or wrong key type',
      'No suitable key was found to decode the JWT',
    ],
    [
      token({}, { kid: 'unknown' }),
      'No suitable key or wrong key type',
      'No suitable key was found to decode the JWT',
    ],
  ])('refuses %s', (authorization, message, details) => {
    expect(refusal(authorization)).toEqual({ code: 'PGRST301', message, details })
  })

  it.each([
    [{ exp: NOW - 31 }, 'JWT expired'],
    [{ exp: NOW + 0.5 }, 'JWT expired'],
    [{ nbf: NOW + 31 }, 'JWT not yet valid'],
    [{ iat: NOW + 31 }, 'JWT issued at future'],
    [{ exp: 'soon' }, "The JWT 'exp' claim must be a number"],
    [{ nbf: {} }, "The JWT 'nbf' claim must be a number"],
    [{ iat: true }, "The JWT 'iat' claim must be a number"],
    [{ exp: NOW - 31, nbf: 'x' }, 'JWT expired'],
    [{ aud: 1 }, "The JWT 'aud' claim must be a string or an array of strings"],
    [{ aud: ['a', 1] }, "The JWT 'aud' claim must be a string or an array of strings"],
    [[1], 'Parsing claims failed'],
  ])('refuses the claims %j', (claims, message) => {
    expect(refusal(token(claims))).toEqual({ code: 'PGRST303', message, details: null })
  })

  it('accepts a clock difference of 30 seconds, and claims that are null', () => {
    const claims = { exp: NOW - 30, nbf: NOW + 30, iat: null, aud: null, role: 'author' }
    expect(caller(token(claims)).role).toBe('author')
  })

  it('refuses a token for another audience when an audience is configured', () => {
    const options = { 'jwt-aud': 'us' }
    for (const aud of ['us', ['them', 'us'], [], null, undefined])
      expect(refusal(token({ aud }), options)).toMatchObject({ role: 'anon' })
    for (const aud of ['them', ['them']])
      expect(refusal(token({ aud }), options)).toMatchObject({ message: 'JWT not in audience' })
    expect(refusal(token({ aud: 'them' }))).toMatchObject({ role: 'anon' })
  })

  it('accepts a secret in Base64', () => {
    const options = {
      'jwt-secret': Buffer.from(SECRET).toString('base64url'),
      'jwt-secret-is-base64': true,
    }
    expect(caller(token({ role: 'author' }), options).role).toBe('author')
  })

  it('requires a passphrase of at least 32 bytes', () => {
    expect(() => caller(null, { 'jwt-secret': 'short' })).toThrow(/at least 32/)
  })
})

describe('callerOf with keys', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' })
  const ed = generateKeyPairSync('ed25519')
  const jwk = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more })
  const set = {
    keys: [
      jwk(rsa.publicKey, { kid: 'rsa', alg: 'RS256' }),
      jwk(p256.publicKey, { kid: 'p256' }),
      jwk(p521.privateKey, { kid: 'p521' }),
      jwk(ed.publicKey),
      { kty: 'oct', k: Buffer.from(SECRET).toString('base64url'), kid: 'oct' },
      { kty: 'unheard of' },
    ],
  }
  const options = { 'jwt-secret': JSON.stringify(set) }

  it.each([
    ['RS256', signed('RS256', 'sha256', rsa.privateKey)],
    ['RS256 by id', signed('RS256', 'sha256', rsa.privateKey, 'rsa')],
    ['ES256', signed('ES256', 'sha256', p256.privateKey, 'p256')],
    ['ES512', signed('ES512', 'sha512', p521.privateKey)],
    ['EdDSA', signed('EdDSA', undefined, ed.privateKey)],
    ['HS512', token({ role: 'author' }, { alg: 'HS512', kid: 'oct' })],
  ])('accepts a token signed with %s', (_name, authorization) => {
    expect(refusal(authorization, options)).toMatchObject({ role: 'author' })
  })

  it.each([
    ['another key’s id', signed('RS256', 'sha256', rsa.privateKey, 'p256')],
    ['an algorithm the key is not for', signed('RS512', 'sha512', rsa.privateKey)],
  ])('refuses a token with %s', (_name, authorization) => {
    expect(refusal(authorization, options)).toMatchObject({
      code: 'PGRST301',
      details: 'No suitable key was found to decode the JWT',
    })
  })

  it('accepts one key instead of a key set', () => {
    const one = { 'jwt-secret': JSON.stringify(jwk(rsa.publicKey)) }
    expect(caller(signed('RS384', 'sha384', rsa.privateKey), one).role).toBe('author')
  })
})
