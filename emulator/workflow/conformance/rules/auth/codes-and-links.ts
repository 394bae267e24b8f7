// Checks of docs/wire/auth.md: magic links, one-time codes and the refresh of sessions.
import { check, type RulesOfPage } from '../../model/check.ts'
import { between, oneOf, otherThan, PASETO, TEXT } from '../../model/patterns.ts'
import { hold, refused, send, textAt } from '../../model/steps.ts'
import { auth, manage } from '../requests.ts'
import { freshUser } from './fresh-user.ts'
import { fragmentOf, messageTo } from './mailbox.ts'
import { SESSION } from './session.ts'

const APPLICATION = 'http://localhost:3000/'

export const CODE_RULES: RulesOfPage = {
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
    unchecked:
      'The rule reads the link only in the emulator’s mailbox, and does not wait until the link expires after 1 hour.',
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
