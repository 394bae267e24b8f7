// Checks of docs/wire/data-plane.md.
import { check, type RulesOfPage } from '../model/check.ts'
import { EMPTY, nullOr, TEXT } from '../model/patterns.ts'
import { numberAt, send } from '../model/steps.ts'
import { dataError, manage, rest } from './requests.ts'

const RETURNING = { prefer: 'return=representation' }

export const DATA_PLANE_RULES: RulesOfPage = {
  gate: {
    checks: [
      check('without apikey the answer is 401 and names it', ['tenant'], ({ tenant }) => [
        send(
          { plane: 'data', method: 'GET', path: '/conformance_table', bearer: tenant.anonKey },
          401,
          { code: 'unauthorized', message: /apikey/i, details: null, hint: nullOr(TEXT) },
        ),
      ]),
      check('without Authorization the answer is 401 and names it', ['tenant'], ({ tenant }) => [
        send(
          {
            plane: 'data',
            method: 'GET',
            path: '/conformance_table',
            headers: { apikey: tenant.anonKey },
          },
          401,
          { code: 'unauthorized', message: /authorization/i, details: null, hint: nullOr(TEXT) },
        ),
      ]),
      check('a bad bearer is 401', ['tenant'], ({ tenant }) => [
        send(rest(tenant, 'GET', '/conformance_table', 'eyJ.eyJ.x'), 401, dataError(TEXT)),
      ]),
      check('an altered key is 401', ['tenant'], ({ tenant }) => [
        send(
          rest(tenant, 'GET', '/conformance_table', altered(tenant.anonKey)),
          401,
          dataError(TEXT),
        ),
      ]),
      check('a bad apikey is 401', ['tenant'], ({ tenant }) => [
        send(
          rest(tenant, 'GET', '/conformance_table', tenant.anonKey, {
            headers: { apikey: altered(tenant.anonKey) },
          }),
          401,
          dataError('unauthorized'),
        ),
      ]),
      check('the keys of two projects in one request are 401', ['lab'], ({ lab }) => [
        send(
          rest(lab.home, 'GET', '/open_notes', lab.home.anonKey, {
            headers: { apikey: lab.neighbour.anonKey },
          }),
          401,
          dataError('unauthorized'),
        ),
      ]),
    ],
  },
  profile: {
    checks: [
      check('the own schema, public and no profile mean the same', ['lab'], ({ lab }) => [
        send(rest(lab.home, 'GET', '/open_notes?limit=0', lab.home.anonKey), 200, []),
        send(
          rest(lab.home, 'GET', '/open_notes?limit=0', lab.home.anonKey, {
            headers: { 'accept-profile': 'public' },
          }),
          200,
          [],
        ),
        send(
          {
            plane: 'data',
            method: 'GET',
            path: '/open_notes?limit=0',
            bearer: lab.home.anonKey,
            headers: { apikey: lab.home.anonKey },
          },
          200,
          [],
        ),
      ]),
      check('another schema is 401 and named', ['tenant'], ({ tenant }) => [
        send(
          rest(tenant, 'GET', '/conformance_table', tenant.anonKey, {
            headers: { 'accept-profile': 'proj_conformance_other' },
          }),
          401,
          dataError('unauthorized', /proj_conformance_other/),
        ),
      ]),
      check('the schema of another project never returns data', ['lab'], ({ lab }) => [
        send(
          rest(lab.home, 'GET', '/open_notes', lab.home.serviceRoleKey, {
            headers: { 'accept-profile': lab.neighbour.schemaName },
          }),
          401,
          dataError('unauthorized', new RegExp(lab.neighbour.schemaName)),
        ),
        send(
          rest(lab.home, 'POST', '/open_notes', lab.home.serviceRoleKey, {
            headers: { 'content-profile': lab.neighbour.schemaName },
            json: { body: 'smuggled' },
          }),
          401,
          dataError('unauthorized'),
        ),
      ]),
    ],
  },
  isolation: {
    checks: [
      check('a request runs as the role of its credential', ['lab'], ({ lab }) => [
        send(rest(lab.home, 'POST', '/rpc/whoami', lab.home.anonKey, { json: {} }), 200, {
          role: 'anon',
        }),
        send(rest(lab.home, 'POST', '/rpc/whoami', lab.ana.dataPlaneToken, { json: {} }), 200, {
          role: 'authenticated',
        }),
        send(rest(lab.home, 'POST', '/rpc/whoami', lab.home.serviceRoleKey, { json: {} }), 200, {
          role: 'service_role',
        }),
      ]),
      check('users see their own rows, and another tenant none', ['lab'], function* ({ lab }) {
        yield send(
          rest(lab.home, 'POST', '/notes', lab.ana.dataPlaneToken, { json: { body: 'of ana' } }),
          201,
        )
        yield send(rest(lab.home, 'GET', '/notes?body=eq.of ana', lab.ana.dataPlaneToken), 200, [
          { body: 'of ana', owner_id: lab.ana.id },
        ])
        yield send(rest(lab.home, 'GET', '/notes?body=eq.of ana', lab.ben.dataPlaneToken), 200, [])
        yield send(
          rest(lab.neighbour, 'GET', '/notes?body=eq.of ana', lab.neighbour.serviceRoleKey),
          200,
          [],
        )
      }),
      check('a view over another tenant’s table cannot be created', ['lab'], ({ lab }) => [
        send(
          manage(
            'POST',
            `/platform/v1/projects/${lab.home.projectId}/db/exec`,
            lab.home.managementKey,
            { sql: `create view stolen as select * from ${lab.neighbour.schemaName}.notes` },
          ),
          403,
          { error: { code: 'system_schema_protected' } },
        ),
      ]),
      check('a table of another tenant is 404 as an unknown one', ['lab'], ({ lab }) => [
        send(
          rest(lab.home, 'GET', `/${lab.neighbour.schemaName}.notes`, lab.home.serviceRoleKey),
          404,
          dataError('PGRST205'),
        ),
      ]),
    ],
    unchecked: 'Settings, locks and listeners of other tenants need a session of Postgres.',
  },
  transaction: {
    checks: [
      check('settings have claims, headers, method and path', ['lab'], ({ lab }) => [
        send(
          rest(lab.home, 'POST', '/rpc/whoami', lab.ana.dataPlaneToken, {
            json: {},
            headers: { 'x-check': 'seen' },
          }),
          200,
          { claims_role: 'authenticated', header: 'seen', method: 'POST', path: '/rpc/whoami' },
        ),
      ]),
      check('a failed request leaves no row', ['lab'], ({ lab }) => [
        send(rest(lab.home, 'POST', '/rpc/writes_then_fails', lab.home.serviceRoleKey), 400, {
          code: 'P0001',
          message: 'after the insert',
        }),
        send(rest(lab.home, 'GET', '/open_notes?body=eq.half', lab.home.serviceRoleKey), 200, []),
      ]),
      check('a statement of 9 s is cancelled with 500 57014', ['lab'], ({ lab }) => [
        send(
          rest(lab.home, 'POST', '/rpc/sleepy', lab.home.serviceRoleKey, { json: { seconds: 9 } }),
          500,
          dataError('57014'),
        ),
      ]),
    ],
  },
  'auth-functions': {
    checks: [
      check('auth functions return the claims of a user', ['lab'], ({ lab }) => [
        send(rest(lab.home, 'POST', '/rpc/whoami', lab.ana.dataPlaneToken, { json: {} }), 200, {
          uid: lab.ana.id,
          email: lab.ana.email,
          auth_role: 'authenticated',
          jwt_role: 'authenticated',
        }),
      ]),
      check('auth.uid() of an anon key is null', ['lab'], ({ lab }) => [
        send(rest(lab.home, 'POST', '/rpc/whoami', lab.home.anonKey, { json: {} }), 200, {
          uid: null,
          auth_role: 'anon',
        }),
      ]),
    ],
  },
  'auth-tables': {
    checks: [
      check('auth_users is 401 42501 for the anon key', ['tenant'], ({ tenant }) => [
        send(
          rest(tenant, 'GET', '/auth_users', tenant.anonKey),
          401,
          dataError('42501', 'permission denied for table auth_users'),
        ),
      ]),
      check(
        'auth_users is 403 42501 for the service role key',
        ['tenant', 'serviceRoleKey'],
        ({ serviceRoleKey, tenant }) =>
          ['auth_users', 'auth_sessions', 'auth_identities', 'auth_mfa_factors'].map((table) =>
            send(
              rest(tenant, 'GET', `/${table}`, serviceRoleKey),
              403,
              dataError('42501', `permission denied for table ${table}`),
            ),
          ),
      ),
    ],
  },
  returning: {
    checks: [
      check('a write returns no rows without Prefer', ['lab'], function* ({ lab }) {
        yield send(
          rest(lab.home, 'POST', '/notes', lab.ben.dataPlaneToken, { json: { body: 'silent' } }),
          201,
          EMPTY,
        )
        yield send(
          rest(lab.home, 'PATCH', '/notes?body=eq.silent', lab.ben.dataPlaneToken, {
            json: { label: 'quiet' },
          }),
          204,
          EMPTY,
        )
        yield send(
          rest(lab.home, 'DELETE', '/notes?body=eq.silent', lab.ben.dataPlaneToken),
          204,
          EMPTY,
        )
      }),
      check('return=representation returns the rows', ['lab'], function* ({ lab }) {
        const made = yield send(
          rest(lab.home, 'POST', '/notes', lab.ben.dataPlaneToken, {
            json: { body: 'told' },
            headers: RETURNING,
          }),
          201,
          [{ body: 'told', owner_id: lab.ben.id }],
        )
        const filter = `id=eq.${numberAt(made, '0', 'id')}`
        yield send(
          rest(lab.home, 'PATCH', `/notes?${filter}`, lab.ben.dataPlaneToken, {
            json: { body: 'retold' },
            headers: RETURNING,
          }),
          200,
          [{ body: 'retold' }],
        )
        yield send(
          rest(lab.home, 'DELETE', `/notes?${filter}`, lab.ben.dataPlaneToken, {
            headers: RETURNING,
          }),
          200,
          [{ body: 'retold' }],
        )
      }),
      check('an insert works where SELECT is not allowed', ['lab'], ({ lab }) => [
        send(
          rest(lab.home, 'POST', '/inbox', lab.home.anonKey, { json: { body: 'dropped in' } }),
          201,
          EMPTY,
        ),
      ]),
    ],
  },
}

/** Changes the first character of a token's signature. */
function altered(token: string): string {
  const [head = '', payload = '', signature = ''] = token.split('.')
  const first = signature.startsWith('A') ? 'B' : 'A'
  return `${head}.${payload}.${first}${signature.slice(1)}`
}
