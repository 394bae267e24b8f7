// Checks of docs/wire/auth.md: sign-out, second factors and refusals.

import { createHmac } from 'node:crypto'
import { readClaims } from '../../../../platform/credentials/unverified-claims.ts'
import { check, type Lab, type RulesOfPage } from '../../model/check.ts'
import { containing, PASETO, TEXT, UUID } from '../../model/patterns.ts'
import { hold, type Part, refused, send, textAt } from '../../model/steps.ts'
import { auth, NO_ID, rest } from '../requests.ts'
import { type FreshUser, freshUser, PASSWORD } from './fresh-user.ts'

/** Length of one time step of an authenticator app in seconds. */
const STEP = 30

interface Guarded {
  readonly user: FreshUser
  readonly factorId: string
  readonly secret: string
  /** The one-time code that confirmed the factor. */
  readonly code: string
}

/** Creates a user with a verified second factor. */
function* guardedUser({ home }: Lab, name: string): Part<Guarded> {
  const user = yield* freshUser(home, name)
  const factor = yield send(
    auth(home, 'POST', '/mfa/enroll', { factorType: 'totp', friendlyName: name }, user.accessToken),
    200,
    { id: TEXT, secret: TEXT, uri: /^otpauth:\/\/totp\//, qr: /^data:image\/svg\+xml;/ },
  )
  const factorId = textAt(factor, 'id')
  const secret = textAt(factor, 'secret')
  const code = totpCode(secret, user.signedInAt)
  yield send(auth(home, 'POST', '/mfa/verify', { factorId, code }, user.accessToken), 200)
  return { user, factorId, secret, code }
}

export const SESSION_RULES: RulesOfPage = {
  signout: {
    checks: [
      check('the default scope ends this session alone', ['lab'], function* ({ lab }) {
        const { accessToken, email } = yield* freshUser(lab.home, 'leaving')
        const other = yield send(
          auth(lab.home, 'POST', '/signin', { email, password: PASSWORD }),
          200,
        )
        yield send(auth(lab.home, 'POST', '/signout', {}, accessToken), 200, {
          sessions_revoked: 1,
        })
        yield refused(auth(lab.home, 'GET', '/user', undefined, accessToken), 401, 'unauthorized')
        yield send(auth(lab.home, 'GET', '/user', undefined, textAt(other, 'access_token')), 200)
      }),
      check('others keeps this session, global ends all', ['lab'], function* ({ lab }) {
        const { accessToken, email } = yield* freshUser(lab.home, 'everywhere')
        const signIn = auth(lab.home, 'POST', '/signin', { email, password: PASSWORD })
        const second = yield send(signIn, 200)
        yield send(auth(lab.home, 'POST', '/signout', { scope: 'others' }, accessToken), 200, {
          sessions_revoked: 1,
        })
        yield refused(
          auth(lab.home, 'GET', '/user', undefined, textAt(second, 'access_token')),
          401,
          'unauthorized',
        )
        yield send(signIn, 200)
        yield send(auth(lab.home, 'POST', '/signout', { scope: 'global' }, accessToken), 200, {
          sessions_revoked: 2,
        })
        yield refused(auth(lab.home, 'GET', '/user', undefined, accessToken), 401, 'unauthorized')
      }),
      check('an issued data_plane_token stays valid', ['lab'], function* ({ lab }) {
        const { accessToken, dataPlaneToken } = yield* freshUser(lab.home, 'outlasting')
        yield send(auth(lab.home, 'POST', '/signout', {}, accessToken), 200)
        yield send(rest(lab.home, 'GET', '/notes', dataPlaneToken), 200, [])
      }),
      check('a request without a token is 401', ['tenant'], ({ tenant }) => [
        refused(auth(tenant, 'POST', '/signout', {}), 401, 'unauthorized'),
      ]),
    ],
  },
  mfa: {
    checks: [
      check('a factor is enrolled, confirmed and listed', ['lab'], function* ({ lab }) {
        const { factorId, user } = yield* guardedUser(lab, 'factor')
        yield send(auth(lab.home, 'GET', '/mfa', undefined, user.accessToken), 200, {
          factors: containing({ id: factorId, status: 'verified' }),
        })
      }),
      check('a code can be used once', ['lab'], function* ({ lab }) {
        const { code, factorId, user } = yield* guardedUser(lab, 'once')
        yield refused(
          auth(lab.home, 'POST', '/mfa/verify', { factorId, code }, user.accessToken),
          400,
          'invalid_otp',
        )
      }),
      check('a sign-in needs the second factor, which gives aal2', ['lab'], function* ({ lab }) {
        const { factorId, secret, user } = yield* guardedUser(lab, 'second')
        const owed = yield send(
          auth(lab.home, 'POST', '/signin', { email: user.email, password: PASSWORD }),
          200,
          {
            mfa_required: true,
            mfa_token: TEXT,
            factors: containing({ id: factorId }),
            access_token: undefined,
          },
        )
        const mfa_token = textAt(owed, 'mfa_token')
        const code = totpCode(secret, user.signedInAt + STEP)
        const session = yield send(
          auth(lab.home, 'POST', '/mfa/verify', { factorId, code, mfa_token }),
          200,
          { access_token: PASETO },
        )
        yield hold('claims', readClaims(textAt(session, 'data_plane_token')), { aal: 'aal2' })
      }),
      check('an unknown factor is 400 factor_not_found', ['lab'], ({ lab }) => [
        refused(
          auth(lab.home, 'DELETE', `/mfa/${NO_ID}`, undefined, lab.ana.accessToken),
          400,
          'factor_not_found',
        ),
      ]),
      check('a session without the second factor may not remove it', ['lab'], function* ({ lab }) {
        const earlier = yield* freshUser(lab.home, 'earlier')
        const signIn = { email: earlier.email, password: PASSWORD }
        const later = yield send(auth(lab.home, 'POST', '/signin', signIn), 200)
        const token = textAt(later, 'access_token')
        const factor = yield send(
          auth(lab.home, 'POST', '/mfa/enroll', { factorType: 'totp' }, token),
          200,
        )
        const factorId = textAt(factor, 'id')
        const code = totpCode(textAt(factor, 'secret'), earlier.signedInAt)
        yield send(auth(lab.home, 'POST', '/mfa/verify', { factorId, code }, token), 200)
        yield refused(
          auth(lab.home, 'DELETE', `/mfa/${factorId}`, undefined, earlier.accessToken),
          403,
          'insufficient_aal',
        )
      }),
      check('DELETE removes a factor', ['lab'], function* ({ lab }) {
        const { accessToken } = yield* freshUser(lab.home, 'removed')
        const factor = yield send(
          auth(lab.home, 'POST', '/mfa/enroll', { factorType: 'totp' }, accessToken),
          200,
          { id: UUID },
        )
        const path = `/mfa/${textAt(factor, 'id')}`
        yield send(auth(lab.home, 'DELETE', path, undefined, accessToken), 200)
        yield send(auth(lab.home, 'GET', '/mfa', undefined, accessToken), 200, { factors: [] })
      }),
    ],
    unchecked: 'too_many_attempts would lock a user for minutes.',
  },
  errors: {
    checks: [
      check('a bad token is 401 unauthorized', ['tenant'], ({ tenant }) => [
        refused(auth(tenant, 'GET', '/user', undefined, 'v4.public.bad'), 401, 'unauthorized'),
      ]),
      check('an unknown route is 404 not_found', ['tenant'], ({ tenant }) => [
        refused(auth(tenant, 'GET', '/no-such-route'), 404, 'not_found'),
      ]),
      check('another method is 405 method_not_allowed', ['tenant'], ({ tenant }) => [
        refused(auth(tenant, 'PUT', '/signin', {}), 405, 'method_not_allowed'),
      ]),
      check('a body that is not JSON is 400 invalid_json', ['tenant'], ({ tenant }) => [
        refused(
          { ...auth(tenant, 'POST', '/signin'), body: '{', headers: jsonFor(tenant.anonKey) },
          400,
          'invalid_json',
        ),
      ]),
    ],
  },
  'client-events': {
    reason: 'Events arise in the client library and send no request of their own.',
  },
}

function jsonFor(apikey: string): Readonly<Record<string, string>> {
  return { apikey, 'content-type': 'application/json' }
}

// Codes of an authenticator app, for checks of second factors (RFC 6238 with SHA-1, six digits and 30 s). Pure.
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP_SECONDS = 30

/** @param secret in base32 (RFC 4648) @param seconds epoch seconds */
function totpCode(secret: string, seconds: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(seconds / STEP_SECONDS)))
  const digest = createHmac('sha1', base32Bytes(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0x0f
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

function base32Bytes(text: string): Buffer {
  const bits = [...text.replace(/=+$/, '').toUpperCase()]
    .map((character) => ALPHABET.indexOf(character).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
