// Checks of docs/wire/auth.md: projects, sessions, sign-up and the ways to sign in.
import { check, type RulesOfPage } from '../model/check.ts'
import {
  between,
  INSTANT,
  JWT,
  LIST,
  nullOr,
  OBJECT,
  oneOf,
  otherThan,
  PASETO,
  TEXT,
  UUID,
} from '../model/patterns.ts'
import { hold, refused, send, textAt } from '../model/steps.ts'
import { credentialsOf, freshUser, PASSWORD } from './fresh-user.ts'
import { fragmentOf, messageTo } from './mailbox.ts'
import { auth, manage } from './requests.ts'

const APPLICATION = 'http://localhost:3000/'

const USER = {
  id: UUID,
  email: 'form@conformance.test',
  phone: nullOr(TEXT),
  email_confirmed_at: nullOr(INSTANT),
  phone_confirmed_at: nullOr(INSTANT),
  last_sign_in_at: nullOr(INSTANT),
  role: 'authenticated',
  user_metadata: { full_name: 'Form Check', city: 'Lisbon' },
  app_metadata: { provider: TEXT, providers: LIST },
  identities: LIST,
  factors: LIST,
  created_at: INSTANT,
  updated_at: INSTANT,
}

const SESSION = {
  access_token: PASETO,
  data_plane_token: JWT,
  refresh_token: TEXT,
  token_type: 'bearer',
  expires_in: 3_600,
  expires_at: between(1e9, 1e11),
  user: OBJECT,
}

export const SIGN_IN_RULES: RulesOfPage = {
  project: {
    checks: [
      check('two projects in one request are 400 project_conflict', ['lab'], ({ lab }) => [
        refused(
          {
            ...auth(lab.home, 'POST', '/signin', credentialsOf(lab.ana)),
            headers: { apikey: lab.home.anonKey, 'x-superdb-project': lab.neighbour.slug },
          },
          400,
          'project_conflict',
        ),
      ]),
      check('an unknown project is 404', [], () => [
        refused(
          {
            ...manage('POST', '/auth/v1/signin', undefined, { email: 'a@b.test', password: 'x' }),
            headers: { 'x-superdb-project': 'no_project_of_this_name' },
          },
          404,
          'not_found',
        ),
      ]),
      check('a request that names no project is 400 invalid_request', [], () => [
        refused(
          manage('POST', '/auth/v1/signin', undefined, { email: 'a@b.test', password: 'x' }),
          400,
          'invalid_request',
        ),
      ]),
      check('the slug in X-SuperDB-Project names the project', ['lab'], ({ lab }) => [
        send(
          {
            ...manage('POST', '/auth/v1/signin', undefined, credentialsOf(lab.ana)),
            headers: { 'x-superdb-project': lab.home.slug },
          },
          200,
          SESSION,
        ),
      ]),
    ],
  },
  session: {
    checks: [
      check('a sign-in returns every member of a session', ['lab'], function* ({ lab }) {
        const reply = yield send(auth(lab.home, 'POST', '/signin', credentialsOf(lab.ana)), 200, {
          ...SESSION,
          user: { id: lab.ana.id },
        })
        yield refused(
          auth(lab.home, 'GET', '/user', undefined, textAt(reply, 'data_plane_token')),
          401,
          'unauthorized',
        )
      }),
    ],
  },
  'user-record': {
    checks: [
      check('a user has every member, and times in UTC with milliseconds', ['lab'], ({ lab }) => [
        send(
          auth(lab.home, 'POST', '/signup', {
            email: 'form@conformance.test',
            password: PASSWORD,
            full_name: 'Form Check',
            data: { city: 'Lisbon' },
          }),
          200,
          { user: USER },
        ),
      ]),
      check('the comparison of e-mail addresses ignores case', ['lab'], ({ lab }) => [
        send(
          auth(lab.home, 'POST', '/signin', {
            ...credentialsOf(lab.ana),
            email: lab.ana.email.toUpperCase(),
          }),
          200,
          { user: { id: lab.ana.id } },
        ),
      ]),
    ],
  },
  signup: {
    checks: [
      check('sign-up returns a session', ['lab'], ({ lab }) => [
        send(
          auth(lab.home, 'POST', '/signup', { email: 'new@conformance.test', password: PASSWORD }),
          200,
          { ...SESSION, user: { email: 'new@conformance.test' } },
        ),
      ]),
      check('a password of three characters is 400 weak_password', ['lab'], ({ lab }) => [
        refused(
          auth(lab.home, 'POST', '/signup', { email: 'weak@conformance.test', password: 'abc' }),
          400,
          'weak_password',
        ),
      ]),
      check('a used address is 409 email_taken', ['lab'], ({ lab }) => [
        refused(auth(lab.home, 'POST', '/signup', credentialsOf(lab.ana)), 409, 'email_taken'),
      ]),
      check('another tenant can have a user with the same address', ['lab'], ({ lab }) => [
        send(auth(lab.neighbour, 'POST', '/signup', credentialsOf(lab.ana)), 200, {
          user: { id: otherThan(lab.ana.id, 'that of the first tenant') },
        }),
      ]),
    ],
    unchecked: 'Required confirmation and closed sign-up are settings of the dashboard.',
  },
  signin: {
    checks: [
      check('the right password returns a session', ['lab'], ({ lab }) => [
        send(auth(lab.home, 'POST', '/signin', credentialsOf(lab.ben)), 200, SESSION),
      ]),
      check('a wrong password is 401 invalid_credentials', ['lab'], ({ lab }) => [
        refused(
          auth(lab.home, 'POST', '/signin', { email: lab.ben.email, password: 'not-the-password' }),
          401,
          'invalid_credentials',
        ),
      ]),
      check('an unknown address is 401 invalid_credentials', ['tenant'], ({ tenant }) => [
        refused(
          auth(tenant, 'POST', '/signin', {
            email: 'unknown@conformance.test',
            password: PASSWORD,
          }),
          401,
          'invalid_credentials',
        ),
      ]),
      check('a user of another tenant is 401 invalid_credentials', ['lab'], ({ lab }) => [
        refused(
          auth(lab.neighbour, 'POST', '/signin', credentialsOf(lab.ben)),
          401,
          'invalid_credentials',
        ),
      ]),
    ],
    unchecked: 'Bans and required confirmation are set in the dashboard. mfa has the second step.',
  },
  'magic-link': {
    checks: [
      check('sending a link returns expires_in', ['lab'], ({ lab }) => [
        send(
          auth(lab.home, 'POST', '/signin/magic-link', {
            email: lab.ana.email,
            redirect_to: APPLICATION,
          }),
          200,
          { expires_in: 3_600 },
        ),
      ]),
      check('another address to return to is 400 invalid_redirect', ['tenant'], ({ tenant }) => [
        refused(
          auth(tenant, 'POST', '/signin/magic-link', {
            email: 'unknown@conformance.test',
            redirect_to: 'http://evil.example/',
          }),
          400,
          'invalid_redirect',
        ),
      ]),
      check(
        'a link redirects with tokens once, and with an error when it is used again',
        ['lab', 'emulator'],
        function* ({ emulator, lab }) {
          const email = 'link@conformance.test'
          yield send(
            auth(lab.home, 'POST', '/signin/magic-link', { email, redirect_to: APPLICATION }),
            200,
          )
          const link = textAt(yield messageTo(emulator, lab.home, email), 'link')
          const opened = manage('GET', link.replace(/^https?:\/\/[^/]+/, ''))
          const first = yield send(opened, REDIRECTS, undefined, {
            location: /^http:\/\/localhost:3000\/#/,
          })
          yield hold('tokens of the redirect', fragmentOf(first.headers['location']), {
            access_token: PASETO,
            refresh_token: TEXT,
            data_plane_token: undefined,
          })
          yield send(opened, REDIRECTS, undefined, {
            location: /^http:\/\/localhost:3000\/\?.*error=/,
          })
        },
      ),
    ],
    unchecked: 'The message of another platform cannot be read. A link is valid for 1 hour.',
  },
  otp: {
    checks: [
      check('sending a code returns channel and lifetime', ['lab'], ({ lab }) => [
        send(auth(lab.home, 'POST', '/otp/send', { email: lab.ana.email, channel: 'email' }), 200, {
          channel: 'email',
          expires_in: 600,
        }),
      ]),
      check(
        'a code for an address without a message is 400 invalid_otp',
        ['tenant'],
        ({ tenant }) => [
          refused(
            auth(tenant, 'POST', '/otp/verify', {
              email: 'unknown@conformance.test',
              code: '000000',
            }),
            400,
            'invalid_otp',
          ),
        ],
      ),
      check(
        'a code has six digits, works once and returns a session',
        ['lab', 'emulator'],
        function* ({ emulator, lab }) {
          const email = 'code@conformance.test'
          yield send(auth(lab.home, 'POST', '/otp/send', { email, channel: 'email' }), 200)
          const message = yield messageTo(emulator, lab.home, email)
          const code = textAt(message, 'code')
          yield hold('code', code, /^\d{6}$/)
          yield send(auth(lab.home, 'POST', '/otp/verify', { email, code }), 200, {
            ...SESSION,
            user: { email },
          })
          yield refused(auth(lab.home, 'POST', '/otp/verify', { email, code }), 400, 'invalid_otp')
        },
      ),
      check(
        'a code is invalid after five wrong attempts',
        ['lab', 'emulator'],
        function* ({ emulator, lab }) {
          const email = 'attempts@conformance.test'
          yield send(auth(lab.home, 'POST', '/otp/send', { email, channel: 'email' }), 200)
          const code = textAt(yield messageTo(emulator, lab.home, email), 'code')
          const wrong = code === '123456' ? '654321' : '123456'
          const verify = (tried: string) =>
            auth(lab.home, 'POST', '/otp/verify', { email, code: tried })
          for (let attempt = 1; attempt <= 5; attempt += 1)
            yield refused(verify(wrong), 400, 'invalid_otp')
          yield send(verify(code), oneOf(400, 429), {
            error: { code: oneOf('invalid_otp', 'too_many_attempts') },
          })
        },
      ),
    ],
    unchecked:
      'WhatsApp and SMS depend on settings of the dashboard. A code ends after 10 minutes.',
  },
  refresh: {
    checks: [
      check(
        'the same token returns the same new pair within ten seconds',
        ['lab'],
        function* ({ lab }) {
          const { refreshToken: refresh_token } = yield* freshUser(lab.home, 'twice')
          const renewed = yield send(
            auth(lab.home, 'POST', '/token/refresh', { refresh_token }),
            200,
            { ...SESSION, refresh_token: otherThan(refresh_token, 'the used token') },
          )
          yield send(auth(lab.home, 'POST', '/token/refresh', { refresh_token }), 200, {
            access_token: textAt(renewed, 'access_token'),
            refresh_token: textAt(renewed, 'refresh_token'),
          })
        },
      ),
      check('an unknown token is 401', ['tenant'], ({ tenant }) => [
        refused(
          auth(tenant, 'POST', '/token/refresh', { refresh_token: 'x'.repeat(43) }),
          401,
          'unauthorized',
        ),
      ]),
      check('the token of another tenant is 401', ['lab'], function* ({ lab }) {
        const { refreshToken: refresh_token } = yield* freshUser(lab.home, 'foreign')
        yield refused(
          auth(lab.neighbour, 'POST', '/token/refresh', { refresh_token }),
          401,
          'unauthorized',
        )
      }),
    ],
    unchecked: 'Later use ends the session only after ten seconds.',
  },
}

const REDIRECTS = between(302, 303)
