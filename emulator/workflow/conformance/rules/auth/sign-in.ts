// Checks of docs/wire/auth.md: projects, sessions, sign-up and sign-in.
import { check, type RulesOfPage } from '../../model/check.ts'
import { INSTANT, LIST, nullOr, otherThan, TEXT, UUID } from '../../model/patterns.ts'
import { refused, send, textAt } from '../../model/steps.ts'
import { auth, manage } from '../requests.ts'
import { credentialsOf, PASSWORD } from './fresh-user.ts'
import { SESSION } from './session.ts'
import { authorize } from './social.ts'

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
      check('/authorize accepts ?apikey=', ['lab', 'emulator'], ({ lab }) => [
        send(manage('GET', `/auth/v1${authorize({ apikey: lab.home.anonKey })}`), 200, {
          url: TEXT,
        }),
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
}
