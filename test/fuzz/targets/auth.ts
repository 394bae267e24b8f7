// Fuzzes end-user authentication: any members in the body of any route, addresses that browsers open, forms, and all kinds of
// credentials.
import fc from 'fast-check'
import { AUTH_EXAMPLES, type AuthCase } from '../examples/auth.ts'
import type { FuzzWorld } from '../fuzz-world.ts'
import { type HttpAnswer, sendHttp } from '../send-http.ts'
import { type FuzzSession, type FuzzTarget, requireNoTrace, requireThat } from '../target.ts'

export const AUTH_REQUEST_LINES = [
  ...['POST /signup', 'POST /signin', 'POST /otp/send', 'POST /otp/verify', 'POST /token/refresh'],
  ...['POST /signin/magic-link', 'POST /password/forgot', 'POST /password/reset', 'GET /user'],
  ...[
    'PATCH /user',
    'PUT /user',
    'DELETE /user',
    'POST /user/password',
    'PUT /user/password',
    'POST /signout',
  ],
  ...['GET /mfa', 'POST /mfa/enroll', 'POST /mfa/verify', 'POST /token/exchange', 'GET /verify'],
  ...['DELETE /mfa/00000000-0000-4000-8000-000000000000', 'DELETE /mfa/%00', 'GET /nowhere'],
  ...['GET /authorize/google', 'GET /authorize/%ff', 'GET /callback/google', 'GET /consent/google'],
  ...[
    'POST /consent/google',
    'POST /password/reset',
    'OPTIONS /signin',
    'HEAD /user',
    'PUT /signup',
  ],
] as const
const NAMES = [
  ...['email', 'phone', 'channel', 'create_user', 'code', 'redirect_to', 'token', 'mfa_token'],
  ...['password', 'new_password', 'current_password', 'factorId', 'factorType', 'friendlyName'],
  ...['scope', 'data', 'refresh_token', 'code_verifier', 'code_challenge', 'state', 'type'],
  ...['project', 'apikey', 'error', 'answer', '__proto__', 'constructor'],
]

const plausible = fc.constantFrom(
  ...['$email', '$refresh', '$token', 'a@example.com', '+5511912345678', 'sms', 'email', '123456'],
  ...['totp', 'http://localhost:3000', 'javascript:alert(1)', '//evil.test', 'S256', 'signup'],
  ...[
    '00000000-0000-4000-8000-000000000000',
    'target',
    'global',
    '\0',
    '\ud800',
    "';--",
    '%00',
    '',
  ],
)
const value = fc.oneof(
  { weight: 3, arbitrary: plausible },
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('x'.repeat(5_000), 1e308, true, null),
)
const members = fc.dictionary(fc.constantFrom(...NAMES), value, {
  maxKeys: 6,
  noNullPrototype: true,
})
const encoded = (part: unknown): string =>
  encodeURIComponent((typeof part === 'string' ? part : JSON.stringify(part)).toWellFormed())
const pairs = fc
  .array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 5 })
  .map((all) => all.map((pair) => pair.map(encoded).join('=')).join('&'))
const body = fc.oneof(
  { weight: 6, arbitrary: members.map((all) => JSON.stringify(all)) },
  pairs,
  fc.json({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.nat(5_000).map((depth) => `${'{"data":'.repeat(depth)}1${'}'.repeat(depth)}`),
)

export const auth: FuzzTarget<AuthCase> = {
  name: 'auth',
  cases: fc
    .tuple(
      fc.constantFrom(...AUTH_REQUEST_LINES),
      fc.oneof(fc.constant(''), pairs),
      fc.constantFrom('user', 'user', 'none', 'server', 'spoilt'),
      fc.constantFrom(
        ...['application/json', 'application/json', 'application/json', 'text/plain'],
        ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''],
      ),
      body,
    )
    .map(([route, query, bearer, type, text]) => {
      const [method = '', path = ''] = route.split(' ')
      return { method, path, query, bearer, type, body: text }
    }),
  examples: AUTH_EXAMPLES,
  open: openAuth,
}

async function openAuth({ at, tenant }: FuzzWorld): Promise<FuzzSession<AuthCase>> {
  const send = (one: AuthCase, token: string | undefined): Promise<HttpAnswer> =>
    sendHttp(at.url, {
      method: one.method,
      target: `/auth/v1${one.path}${one.query === '' ? '' : `?${one.query}`}`,
      headers: [
        ['apikey', tenant.anonKey],
        ['content-type', one.type],
        ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]),
      ],
      body: one.body,
    })
  let users = 0
  const signUp = async () => {
    const credentials = { email: `fuzz${users++}@example.com`, password: 'correct horse' }
    const answer = await at.call('POST', '/auth/v1/signup', {
      headers: { apikey: tenant.anonKey },
      body: credentials,
    })
    if (answer.status >= 300) throw new Error(answer.text)
    const { access_token: token, refresh_token: refresh } = answer.body
    return { ...credentials, token, refresh }
  }
  let user = await signUp()
  return {
    attempt: async (one) => {
      const { bearer } = one
      const token = {
        user: user.token,
        server: tenant.serviceRoleKey,
        spoilt: `${user.token.slice(0, -9)}x`,
        none: undefined,
      }[bearer]
      const filled = one.body
        .replaceAll('$email', user.email)
        .replaceAll('$refresh', user.refresh)
        .replaceAll('$token', user.token)
      const answer = await send({ ...one, body: filled }, token)
      requireNoTrace(answer.text, one.query + one.body)
      requireThat(
        answer.status > 0 && answer.status < 500,
        `answered ${answer.status} ${answer.text}`,
      )
      return `${answer.status} ${errorCode(answer)}`
    },
    tidy: async () => {
      user = await signUp()
    },
  }
}

// Returns the error code of an answer. HTML pages for browsers have no code.
function errorCode({ status, headers, text }: HttpAnswer): string {
  const isJson = String(headers['content-type']).startsWith('application/json')
  if (status < 400 || !isJson || text === '') return ''
  const { code, message } = JSON.parse(text).error
  requireThat(/^[a-z_]+$/.test(code) && message !== '', `an error without a code: ${text}`)
  return code
}
