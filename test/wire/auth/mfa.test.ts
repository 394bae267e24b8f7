// /auth/v1/mfa: enrolment, lists and removal of factors (docs/wire/auth.md#mfa).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { granted, PASSWORD, refusalOf } from '../../support/auth-world.ts'
import { STEP_SECONDS } from '../../support/authenticator.ts'
import { type Guarded, type MfaWorld, startMfaWorld } from '../../support/mfa-world.ts'
import type { Json } from '../../support/test-emulator.ts'

let world: MfaWorld
beforeAll(async () => {
  world = await startMfaWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

describe('invalid input of /auth/v1/mfa', () => {
  let stranger: Json
  let guarded: Guarded
  beforeAll(async () => {
    stranger = await world.freshUser()
    guarded = await world.guardedUser()
  })

  it.each([
    ['no type', {}],
    ['another type', { factorType: 'phone' }],
    ['a list as the type', { factorType: ['totp'] }],
    ['a number as the name', { factorType: 'totp', friendlyName: 1 }],
    ['a NUL in the name', { factorType: 'totp', friendlyName: 'a\0' }],
    ['a name of 10 kB', { factorType: 'totp', friendlyName: 'a'.repeat(10_000) }],
  ])('does not enrol %s', async (_, body) => {
    expect(refusalOf(await world.enrol(stranger, body))).toBe('400 invalid_request')
  })

  it.each([
    ['no factor', { code: '123456' }, '400 invalid_request'],
    ['no code', { factorId: 'a' }, '400 invalid_request'],
    ['a list as the factor', { factorId: ['a'], code: '123456' }, '400 invalid_request'],
    ['a number as the code', { factorId: 'a', code: 123456 }, '400 invalid_request'],
    ['a NUL in the factor', { factorId: 'a\0', code: '123456' }, '400 invalid_request'],
    ['a code of 10 kB', { factorId: 'a', code: '1'.repeat(10_000) }, '400 invalid_request'],
    ['a factor of 10 kB', { factorId: 'a'.repeat(10_000), code: '1' }, '400 factor_not_found'],
    ['a factor that is no UUID', { factorId: 'é', code: '123456' }, '400 factor_not_found'],
  ])('does not verify %s', async (_, body, refusal) => {
    expect(refusalOf(await world.verify(stranger, body))).toBe(refusal)
  })

  it.each(['１２３４５６', 'é'.repeat(6), '12345', ' 12345', "' or true"])(
    'treats %j as a wrong code',
    async (code) => {
      const { session, factorId } = guarded
      expect(refusalOf(await world.verify(session, { factorId, code }))).toBe('400 invalid_otp')
    },
  )

  it.each([
    '00000000-0000-4000-8000-000000000000',
    'a',
    '%00',
    '%F0%9F%98%80',
    '%ff',
    'a'.repeat(10_000),
  ])('does not find the factor %s', async (id) => {
    expect(refusalOf(await world.remove(stranger, id))).toBe('400 factor_not_found')
  })
})

describe('POST /auth/v1/mfa/enroll', () => {
  it('returns id, secret, otpauth address and QR code', async () => {
    const session = await world.freshUser()
    const { status, body, headers } = await world.enrol(session, {
      factorType: 'totp',
      friendlyName: 'telemóvel 📱',
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringContaining('otpauth://totp/'),
      qr: expect.stringMatching(/^data:image\/svg\+xml;base64,/),
    })
    expect(decodeURIComponent(body.uri)).toContain(session.user.email)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await world.factorsOf(session)).toEqual([
      {
        id: body.id,
        factor_type: 'totp',
        friendly_name: 'telemóvel 📱',
        status: 'unverified',
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
  })

  it('draws a QR code for the longest address', async () => {
    const session = await world.freshUser({ email: `${'漢'.repeat(242)}@example.com` })
    expect((await world.enrol(session)).status).toBe(200)
  })

  it('does not require the factor at sign-in before its first code is verified', async () => {
    const session = await world.freshUser()
    granted(await world.enrol(session))
    expect(await world.owe(session.user)).toHaveProperty('access_token')
  })

  it('lets only a session at level aal2 add another factor', async () => {
    const { earlier, session } = await world.earlierSession()
    expect(refusalOf(await world.enrol(earlier))).toBe('403 insufficient_aal')
    expect((await world.enrol(session)).status).toBe(200)
  })

  it('accepts ten factors, and removes unverified factors after an hour', async () => {
    const session = await world.freshUser()
    for (let count = 1; count <= 10; count += 1) granted(await world.enrol(session))
    expect(refusalOf(await world.enrol(session))).toBe('400 invalid_request')
    await world.advance(3_599)
    const { refresh_token } = session
    const renewed = granted(await world.auth('POST', '/token/refresh', { refresh_token }))
    await world.advance(2)
    granted(await world.enrol(renewed))
    expect(await world.factorsOf(renewed)).toHaveLength(1)
  })
})

describe('GET /auth/v1/mfa', () => {
  it('lists no factors for a new user', async () => {
    expect(await world.factorsOf(await world.freshUser())).toEqual([])
  })

  it('lists no secret', async () => {
    const { session, secret } = await world.guardedUser()
    expect(JSON.stringify(await world.factorsOf(session))).not.toContain(secret)
  })
})

describe('DELETE /auth/v1/mfa/:id', () => {
  it('removes an unverified factor', async () => {
    const session = await world.freshUser()
    const { id } = granted(await world.enrol(session))
    const { status, body } = await world.remove(session, id.toUpperCase())
    expect([status, body, await world.factorsOf(session)]).toEqual([200, { deleted: true, id }, []])
  })

  it('removes a verified factor, and sign-in no longer requires one', async () => {
    const user = await world.guardedUser()
    granted(await world.remove(user.session, user.factorId))
    expect(await world.owe(user)).toHaveProperty('access_token')
  })

  it('needs a session at level aal2 to remove a verified factor', async () => {
    const { earlier, session, factorId } = await world.earlierSession()
    expect(refusalOf(await world.remove(earlier, factorId))).toBe('403 insufficient_aal')
    expect(await world.factorsOf(session)).toHaveLength(1)
  })

  it('does not find a factor of another user', async () => {
    const { session, factorId } = await world.guardedUser()
    expect(refusalOf(await world.remove(await world.freshUser(), factorId))).toBe(
      '400 factor_not_found',
    )
    expect(await world.factorsOf(session)).toHaveLength(1)
  })
})

describe('every route of /auth/v1/mfa', () => {
  it.each([
    ['GET', '/mfa', undefined],
    ['POST', '/mfa/enroll', { factorType: 'totp' }],
    ['POST', '/mfa/verify', { factorId: 'a', code: '123456' }],
    ['DELETE', '/mfa/00000000-0000-4000-8000-000000000000', undefined],
  ])('%s %s needs an access_token of this project', async (method, path, body) => {
    const session = await world.freshUser()
    const abroad = await world.at.call<Json>('POST', '/auth/v1/signup', {
      headers: { apikey: world.neighbour.anonKey },
      body: { email: world.freshEmail(), password: PASSWORD },
    })
    const tokens = [undefined, '', session.data_plane_token, granted(abroad).access_token]
    for (const token of tokens)
      expect(refusalOf(await world.auth(method, path, body, token))).toBe('401 unauthorized')
  })

  it('POST /mfa/enroll refuses the access_token of an ended session', async () => {
    const session = await world.freshUser()
    granted(await world.auth('POST', '/signout', {}, session.access_token))
    expect(refusalOf(await world.enrol(session))).toBe('401 unauthorized')
  })

  it('POST /mfa/enroll refuses an expired access_token', async () => {
    const session = await world.freshUser()
    await world.advance(3_600 + STEP_SECONDS)
    expect(refusalOf(await world.enrol(session))).toBe('401 unauthorized')
  })
})
