// Checks of docs/wire/auth.md: social login and redirect addresses.
import { createHash } from 'node:crypto'
import { check, type Lab, type RulesOfPage } from '../../model/check.ts'
import { between, TEXT } from '../../model/patterns.ts'
import { type Part, refused, send, textAt } from '../../model/steps.ts'
import { auth, manage } from '../requests.ts'
import { SESSION } from './session.ts'

const APPLICATION = 'http://localhost:3000/'
const REDIRECTS = between(302, 303)
const VERIFIER = 'a-verifier-of-forty-three-characters-or-more'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

/** Returns the path of a social login with PKCE. */
export function authorize(changes: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams({
    redirect_to: APPLICATION,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    return: 'json',
    ...changes,
  })
  return `/authorize/google?${query}`
}

/** Signs in at the emulator's consent page as a new account, and returns the code of the redirect. */
function* codeOfConsent({ home }: Lab, email: string): Part<string> {
  const begun = yield send(auth(home, 'GET', authorize({})), 200, { url: TEXT })
  const consent = textAt(begun, 'url').replace(/^https?:\/\/[^/]+/, '')
  const page = yield send(manage('GET', consent), 200)
  const cookie = (page.headers['set-cookie'] ?? '').split(';')[0] ?? ''
  const state = new URLSearchParams(consent.split('?')[1]).get('state') ?? ''
  const fields = { state, decision: 'new', name: 'Nina Nova', email }
  const decided = yield send(
    {
      ...manage('POST', consent.split('?')[0] ?? ''),
      body: `${new URLSearchParams(fields)}`,
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    },
    REDIRECTS,
    undefined,
    { location: /\/auth\/v1\/callback\/google\?/ },
  )
  const callback = (decided.headers['location'] ?? '').replace(/^https?:\/\/[^/]+/, '')
  const landed = yield send(
    { ...manage('GET', callback), headers: { cookie } },
    REDIRECTS,
    undefined,
    {
      location: /^http:\/\/localhost:3000\/\?.*code=/,
    },
  )
  return new URL(landed.headers['location'] ?? '').searchParams.get('code') ?? ''
}

export const SOCIAL_RULES: RulesOfPage = {
  social: {
    checks: [
      check('a challenge that is too short is 400 invalid_pkce', ['lab'], ({ lab }) => [
        refused(auth(lab.home, 'GET', authorize({ code_challenge: 'short' })), 400, 'invalid_pkce'),
      ]),
      check('the method plain is 400 invalid_pkce', ['lab'], ({ lab }) => [
        refused(
          auth(lab.home, 'GET', authorize({ code_challenge_method: 'plain' })),
          400,
          'invalid_pkce',
        ),
      ]),
      check('return=json returns the address of the provider', ['lab', 'emulator'], ({ lab }) => [
        send(auth(lab.home, 'GET', authorize({})), 200, { url: /\/auth\/v1\/consent\/google\?/ }),
      ]),
      check('a request without it redirects to the provider', ['lab', 'emulator'], ({ lab }) => [
        send(auth(lab.home, 'GET', authorize({}).replace('&return=json', '')), 302, undefined, {
          location: /\/auth\/v1\/consent\/google\?/,
        }),
      ]),
      check('an unknown provider is 400 oauth_not_enabled', ['tenant'], ({ tenant }) => [
        refused(
          auth(tenant, 'GET', authorize({}).replace('google', 'no-such-provider')),
          400,
          'oauth_not_enabled',
        ),
      ]),
      check('a code returns a session once', ['lab', 'emulator'], function* ({ lab }) {
        const code = yield* codeOfConsent(lab, 'nina@conformance.test')
        const redeem = auth(lab.home, 'POST', '/token/exchange', { code, code_verifier: VERIFIER })
        yield send(redeem, 200, { ...SESSION, user: { email: 'nina@conformance.test' } })
        yield refused(redeem, 400, 'invalid_code')
      }),
      check('a wrong verifier uses up the code', ['lab', 'emulator'], function* ({ lab }) {
        const code = yield* codeOfConsent(lab, 'nora@conformance.test')
        const redeem = (code_verifier: string) =>
          auth(lab.home, 'POST', '/token/exchange', { code, code_verifier })
        yield refused(redeem('x'.repeat(43)), 400, 'pkce_mismatch')
        yield refused(redeem(VERIFIER), 400, 'invalid_code')
      }),
      check('an unknown code is 400 invalid_code', ['tenant'], ({ tenant }) => [
        refused(
          auth(tenant, 'POST', '/token/exchange', {
            code: 'x'.repeat(43),
            code_verifier: VERIFIER,
          }),
          400,
          'invalid_code',
        ),
      ]),
    ],
    unchecked: 'The sign-in at the provider of another platform needs a person and a browser.',
  },
  redirects: {
    checks: [
      check('another address is 400 invalid_redirect', ['lab'], ({ lab }) => [
        refused(
          auth(lab.home, 'GET', authorize({ redirect_to: 'http://evil.example/' })),
          400,
          'invalid_redirect',
        ),
      ]),
      check('an address that begins like a listed one is refused', ['lab'], ({ lab }) => [
        refused(
          auth(lab.home, 'GET', authorize({ redirect_to: 'http://localhost.evil.example/' })),
          400,
          'invalid_redirect',
        ),
      ]),
      check('every port of 127.0.0.1 is accepted', ['lab', 'emulator'], ({ lab }) => [
        send(auth(lab.home, 'GET', authorize({ redirect_to: 'http://127.0.0.1:5173/in' })), 200),
      ]),
    ],
  },
}
