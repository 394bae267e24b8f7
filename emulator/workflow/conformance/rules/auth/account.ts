// Checks of docs/wire/auth.md: the signed-in user and passwords.
import { check, type RulesOfPage } from '../../model/check.ts'
import { between } from '../../model/patterns.ts'
import { refused, send, textAt } from '../../model/steps.ts'
import { auth } from '../requests.ts'
import { freshUser, PASSWORD } from './fresh-user.ts'
import { fragmentOf, messageTo } from './mailbox.ts'

const APPLICATION = 'http://localhost:3000/'
const NEW_PASSWORD = 'check-the-wire-2'

export const ACCOUNT_RULES: RulesOfPage = {
  user: {
    checks: [
      check('GET returns the user of the access_token', ['lab'], ({ lab }) => [
        send(auth(lab.home, 'GET', '/user', undefined, lab.ana.accessToken), 200, {
          user: { id: lab.ana.id, email: lab.ana.email },
        }),
      ]),
      check('PATCH merges data into user_metadata', ['lab'], function* ({ lab }) {
        const { accessToken } = yield* freshUser(lab.home, 'patched')
        yield send(auth(lab.home, 'PATCH', '/user', { data: { a: 1 } }, accessToken), 200)
        yield send(auth(lab.home, 'PATCH', '/user', { data: { b: 'x' } }, accessToken), 200, {
          user: { user_metadata: { a: 1, b: 'x' } },
        })
      }),
      check('another e-mail address is 400 email_change_unsupported', ['lab'], ({ lab }) => [
        refused(
          auth(lab.home, 'PATCH', '/user', { email: 'new@b.test' }, lab.ana.accessToken),
          400,
          'email_change_unsupported',
        ),
      ]),
      check('a request without a token is 401', ['tenant'], ({ tenant }) => [
        refused(auth(tenant, 'GET', '/user'), 401, 'unauthorized'),
      ]),
      check('DELETE removes the user and its tokens', ['lab'], function* ({ lab }) {
        const { accessToken, email } = yield* freshUser(lab.home, 'deleted')
        yield send(auth(lab.home, 'DELETE', '/user', undefined, accessToken), 200, {
          deleted: true,
          sessions_revoked: between(1, 10),
          identities_deleted: between(0, 10),
        })
        yield refused(auth(lab.home, 'GET', '/user', undefined, accessToken), 401, 'unauthorized')
        yield refused(
          auth(lab.home, 'POST', '/signin', { email, password: PASSWORD }),
          401,
          'invalid_credentials',
        )
      }),
    ],
  },
  password: {
    checks: [
      check('the current password is required', ['lab'], ({ lab }) => [
        refused(
          auth(
            lab.home,
            'PUT',
            '/user/password',
            { new_password: NEW_PASSWORD },
            lab.ana.accessToken,
          ),
          400,
          'current_password_required',
        ),
      ]),
      check('a wrong current password is 401 invalid_credentials', ['lab'], ({ lab }) => [
        refused(
          auth(
            lab.home,
            'PUT',
            '/user/password',
            { new_password: NEW_PASSWORD, current_password: 'not-the-password' },
            lab.ana.accessToken,
          ),
          401,
          'invalid_credentials',
        ),
      ]),
      check('a change ends the other sessions', ['lab'], function* ({ lab }) {
        const { accessToken, email } = yield* freshUser(lab.home, 'changed')
        const signIn = (password: string) => auth(lab.home, 'POST', '/signin', { email, password })
        const other = yield send(signIn(PASSWORD), 200)
        const passwords = { new_password: NEW_PASSWORD, current_password: PASSWORD }
        yield send(auth(lab.home, 'PUT', '/user/password', passwords, accessToken), 200)
        yield refused(
          auth(lab.home, 'GET', '/user', undefined, textAt(other, 'access_token')),
          401,
          'unauthorized',
        )
        yield refused(signIn(PASSWORD), 401, 'invalid_credentials')
        yield send(signIn(NEW_PASSWORD), 200)
      }),
      check('a short new password is 400 weak_password', ['lab'], function* ({ lab }) {
        const { accessToken } = yield* freshUser(lab.home, 'weakened')
        const passwords = { new_password: 'abc', current_password: PASSWORD }
        yield refused(
          auth(lab.home, 'PUT', '/user/password', passwords, accessToken),
          400,
          'weak_password',
        )
      }),
      check(
        'an account without a password gets one, with criada',
        ['lab', 'emulator'],
        function* ({ emulator, lab }) {
          const email = 'without@conformance.test'
          yield send(auth(lab.home, 'POST', '/otp/send', { email, channel: 'email' }), 200)
          const code = textAt(yield messageTo(emulator, lab.home, email), 'code')
          const session = yield send(auth(lab.home, 'POST', '/otp/verify', { email, code }), 200)
          yield send(
            auth(
              lab.home,
              'PUT',
              '/user/password',
              { new_password: NEW_PASSWORD },
              textAt(session, 'access_token'),
            ),
            200,
            { criada: true },
          )
        },
      ),
    ],
  },
  recovery: {
    checks: [
      check('every address gets the same answer', ['lab'], ({ lab }) =>
        [lab.ana.email, 'unknown@conformance.test'].map((email) =>
          send(
            auth(lab.home, 'POST', '/password/forgot', { email, redirect_to: APPLICATION }),
            200,
            { expires_in: 3_600 },
          ),
        ),
      ),
      check('another address to return to is 400 invalid_redirect', ['tenant'], ({ tenant }) => [
        refused(
          auth(tenant, 'POST', '/password/forgot', {
            email: 'unknown@conformance.test',
            redirect_to: 'http://evil.example/',
          }),
          400,
          'invalid_redirect',
        ),
      ]),
      check('an unknown token is 401', ['tenant'], ({ tenant }) => [
        refused(
          auth(tenant, 'POST', '/password/reset', {
            token: 'x'.repeat(43),
            new_password: NEW_PASSWORD,
          }),
          401,
          'unauthorized',
        ),
      ]),
      check(
        'the token of the link sets a password once',
        ['lab', 'emulator'],
        function* ({ emulator, lab }) {
          const { email } = yield* freshUser(lab.home, 'forgetful')
          yield send(
            auth(lab.home, 'POST', '/password/forgot', { email, redirect_to: APPLICATION }),
            200,
          )
          const link = textAt(yield messageTo(emulator, lab.home, email), 'link')
          const token = fragmentOf(link)['token']
          const reset = (name: string) =>
            auth(lab.home, 'POST', '/password/reset', { token, [name]: NEW_PASSWORD })
          yield send(reset('password'), 200)
          yield send(auth(lab.home, 'POST', '/signin', { email, password: NEW_PASSWORD }), 200)
          yield refused(reset('new_password'), 401, 'unauthorized')
        },
      ),
    ],
    unchecked:
      'The rule reads the link only in the emulator’s mailbox, and does not wait until the link expires after 1 hour.',
  },
}
