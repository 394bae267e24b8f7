import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { compactVerify, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { signJwt, signPasetoClaims } from '../../../emulator/platform/credentials/sign-tokens.ts'

// cspell:disable-next-line
const claims = { sub: 'ana', name: 'Ana Conceição 漢字', kv: 3 }

describe('signJwt', () => {
  it('signs ES256 tokens that a JOSE library accepts', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const token = signJwt(claims, { alg: 'ES256', typ: 'JWT', kid: 'k1' }, privateKey)
    const { payload } = await compactVerify(token, publicKey, { algorithms: ['ES256'] })
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(claims)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'JWT', kid: 'k1' })
  })

  it('signs HS256 tokens that a JOSE library accepts', async () => {
    const secret = randomBytes(32)
    const token = signJwt(claims, { alg: 'HS256', typ: 'JWT', kv: 3 }, secret)
    const { payload } = await compactVerify(token, secret, { algorithms: ['HS256'] })
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(claims)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT', kv: 3 })
  })
})

describe('signPasetoClaims', () => {
  it('returns the token of the specification’s test vector 4-S-1', () => {
    const seed = 'b4cbfb43df4ce210727d953e4a713307fa19bb7d9f85041438d9e11b942a3774'
    const key = createPrivateKey({
      key: Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex'),
      format: 'der',
      type: 'pkcs8',
    })
    expect(createPublicKey(key).export({ format: 'jwk' })['x']).toBe(
      Buffer.from(
        '1eb9dbbbbc047c03fd70604e0071f0987e16b28b757225c11f00415d0e20b1a2',
        'hex',
      ).toString('base64url'),
    )
    expect(
      signPasetoClaims({ data: 'this is a signed message', exp: '2022-01-01T00:00:00+00:00' }, key),
    ).toBe(
      'v4.public.eyJkYXRhIjoidGhpcyBpcyBhIHNpZ25lZCBtZXNzYWdlIiwiZXhwIjoiMjAyMi0wMS0wMVQwMDowMDowMCswMDowMCJ9bg_XBBzds8lTZShVlwwKSgeKpLT3yukTw6JUz3W4h_ExsQV-P0V54zemZDcAxFaSeef1QlXEFtkqxT1ciiQEDA',
    )
  })
})
