// Checks of docs/wire/auth.md: social login and redirect addresses.
import { check, type RulesOfPage } from '../../model/check.ts'
import { refused, send } from '../../model/steps.ts'
import { auth } from '../requests.ts'

const APPLICATION = 'http://localhost:3000/'
/** A challenge of RFC 7636, appendix B. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWBuGJSstw-cM'

function authorize(changes: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams({
    redirect_to: APPLICATION,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    return: 'json',
    ...changes,
  })
  return `/authorize/google?${query}`
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
      check('an unknown code is 400 invalid_code', ['tenant'], ({ tenant }) => [
        refused(
          auth(tenant, 'POST', '/token/exchange', {
            code: 'x'.repeat(43),
            code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
          }),
          400,
          'invalid_code',
        ),
      ]),
    ],
    unchecked: 'The sign-in at the provider needs a person and a browser.',
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
