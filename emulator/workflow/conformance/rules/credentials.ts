// Checks of docs/wire/credentials.md.

import { isJsonObject, parseJson } from '../../../core/json.ts'
import { readClaims } from '../../../platform/credentials/unverified-claims.ts'
import { createTenant } from '../lab/lab.ts'
import { check, type Lab, type RulesOfPage } from '../model/check.ts'
import { containing, JWT, LIST, NUMBER, OBJECT, PASETO, TEXT, UUID } from '../model/patterns.ts'
import { hold, type Part, refused, send, textAt } from '../model/steps.ts'
import { freshUser } from './auth/fresh-user.ts'
import { auth, bare, dataError, manage, rest } from './requests.ts'

const HOUR = 3_600

export const CREDENTIAL_RULES: RulesOfPage = {
  kinds: {
    checks: [
      check('an access_token on the data host is 401', ['lab'], ({ lab }) => [
        send(rest(lab.home, 'GET', '/notes', lab.ana.accessToken), 401, dataError('unauthorized')),
      ]),
      check('a project key on a group route is 401', ['group', 'tenant'], ({ group, tenant }) => [
        refused(
          manage('GET', `/groups/v1/${group.id}/tenants`, tenant.anonKey),
          401,
          'unauthorized',
        ),
      ]),
      check('keys and tokens have the documented forms', ['lab'], ({ lab }) => [
        hold('Group API Key', lab.group.key, /^sdb_gk_[\w-]{43}$/),
        hold('management key', lab.home.managementKey, /^sdb_pmk_[\w-]{43}$/),
        hold('anon key', lab.home.anonKey, JWT),
        hold('service role key', lab.home.serviceRoleKey, JWT),
        hold('access_token', lab.ana.accessToken, PASETO),
        hold('data_plane_token', lab.ana.dataPlaneToken, JWT),
        hold('storage token', lab.ana.storage, JWT),
        hold('realtime token', lab.ana.realtime, JWT),
      ]),
      check('the algorithms are ES256, and HS256 for service tokens', ['lab'], ({ lab }) => [
        hold('header of the anon key', headerOf(lab.home.anonKey), { alg: 'ES256' }),
        hold('header of data_plane_token', headerOf(lab.ana.dataPlaneToken), { alg: 'ES256' }),
        hold('header of the storage token', headerOf(lab.ana.storage), { alg: 'HS256' }),
        hold('header of the realtime token', headerOf(lab.ana.realtime), { alg: 'HS256' }),
      ]),
      check('a session of the dashboard is a PASETO', ['session', 'emulator'], ({ session }) => [
        hold('session token', session, PASETO),
      ]),
    ],
    unchecked: 'That the platform stores hashes only is not visible on the wire.',
  },
  bearer: {
    checks: [
      check('a malformed credential is 401 unauthorized', ['group'], ({ group }) => [
        refused(manage('GET', `/groups/v1/${group.id}/tenants`, 'x'), 401, 'unauthorized'),
      ]),
      check('a missing credential is 401 unauthorized', [], () => [
        refused(manage('GET', '/platform/v1/groups'), 401, 'unauthorized'),
      ]),
      check('an unknown group is 403 forbidden', ['group'], ({ group }) => [
        refused(
          manage('GET', '/groups/v1/grp_aaaaaaaaaaaaaaaaaaaa/tenants', group.key),
          403,
          'forbidden',
        ),
      ]),
      check('an id that no group can have is 403', ['group', 'emulator'], ({ group }) =>
        ['nonsense', '%00'].map((id) =>
          refused(manage('GET', `/groups/v1/${id}/tenants`, group.key), 403, 'forbidden'),
        ),
      ),
    ],
  },
  'project-keys': {
    checks: [
      check('an anon key has its claims and no exp', ['tenant'], ({ tenant }) => [
        hold('claims', readClaims(tenant.anonKey), {
          role: 'anon',
          project_id: UUID,
          project_schema: /^proj_/,
          kv: NUMBER,
          sub: 'apikey:anon',
          iat: NUMBER,
          iss: TEXT,
          aud: TEXT,
          exp: undefined,
        }),
      ]),
      check('a service role key has its claims and no exp', ['serviceRoleKey'], (world) => [
        hold('claims', readClaims(world.serviceRoleKey), {
          role: 'service_role',
          sub: 'apikey:service_role',
          project_schema: /^proj_/,
          kv: NUMBER,
          exp: undefined,
        }),
      ]),
      check('jwks.json has the key that signed it', ['tenant'], ({ tenant }) => [
        send(bare('auth', 'GET', '/.well-known/jwks.json'), 200, {
          keys: containing({ kid: String(headerOf(tenant.anonKey)?.['kid']), kty: 'EC' }),
        }),
      ]),
      check('jwks.json has no private member', [], function* () {
        const reply = yield send(bare('auth', 'GET', '/.well-known/jwks.json'), 200, { keys: LIST })
        yield hold('private members', /"d"\s*:/.test(reply.text), false)
      }),
    ],
  },
  'key-version': {
    checks: [
      check(
        'regenerated keys end every older key and token at once',
        ['lab', 'owner', 'emulator'],
        function* ({ lab, owner }) {
          const tenant = yield* createTenant(lab.group, `${lab.prefix}_rekeyed`)
          const path = `/platform/v1/projects/${tenant.projectId}/keys/regenerate`
          const renewed = yield send(manage('POST', path, owner.session, {}), 200, {
            anon_key: TEXT,
          })
          yield send(
            rest(tenant, 'GET', '/open_notes', tenant.anonKey),
            401,
            dataError('unauthorized'),
          )
          yield refused(manage('POST', '/st/v1/token', tenant.anonKey), 401, 'unauthorized')
          yield send(
            {
              plane: 'storage',
              method: 'GET',
              path: '/bucket',
              bearer: tenant.serviceStorage,
            },
            401,
          )
          const anonKey = textAt(renewed, 'anon_key')
          yield send(rest({ ...tenant, anonKey }, 'GET', '/open_notes', anonKey), 200, [])
        },
      ),
    ],
  },
  'data-plane-token': {
    checks: [
      check('a data_plane_token has every claim', ['lab'], ({ lab }) => [
        hold('claims', readClaims(lab.ana.dataPlaneToken), {
          role: 'authenticated',
          sub: lab.ana.id,
          email: lab.ana.email,
          session_id: TEXT,
          aal: 'aal1',
          amr: LIST,
          user_metadata: OBJECT,
          app_metadata: OBJECT,
          project_id: lab.home.projectId,
          project_schema: lab.home.schemaName,
          kv: NUMBER,
          iss: TEXT,
          aud: TEXT,
          iat: NUMBER,
          exp: NUMBER,
        }),
        hold('lifetime in seconds', lifetimeOf(lab.ana.dataPlaneToken), HOUR),
      ]),
    ],
    unchecked: 'Bans are set in the dashboard. auth.md#signout has a token after its session.',
  },
  'storage-token': {
    checks: [
      check('an anon key becomes a token of anon', ['tenant'], function* ({ tenant }) {
        const reply = yield send(manage('POST', '/st/v1/token', tenant.anonKey), 200, {
          token: JWT,
          url: /^https?:\/\//,
          role: 'anon',
          pode_escrever: false,
        })
        yield hold('claims', readClaims(textAt(reply, 'token')), {
          role: 'anon',
          project_schema: tenant.schemaName,
          origin_role: 'anon',
          exp: NUMBER,
        })
      }),
      check(
        'a service role key becomes a token of authenticated',
        ['serviceRoleKey'],
        ({ serviceRoleKey }) => [
          send(manage('POST', '/st/v1/token', serviceRoleKey), 200, {
            token: JWT,
            role: 'authenticated',
            pode_escrever: true,
          }),
        ],
      ),
      check('a data_plane_token becomes a token of its user', ['lab'], function* ({ lab }) {
        const reply = yield send(manage('POST', '/st/v1/token', lab.ana.dataPlaneToken), 200, {
          role: 'authenticated',
          pode_escrever: true,
        })
        yield hold('claims', readClaims(textAt(reply, 'token')), { sub: lab.ana.id })
      }),
      check('an access_token is 401', ['lab'], ({ lab }) => [
        refused(manage('POST', '/st/v1/token', lab.ana.accessToken), 401, 'unauthorized'),
      ]),
      check('a request without a credential is 401', [], () => [
        refused(manage('POST', '/st/v1/token'), 401, 'unauthorized'),
      ]),
      check('the token of a deleted user is 401', ['lab'], deletedUser('/st/v1/token', 401)),
    ],
    unchecked: 'storage_quota_exceeded needs a free project with more than 1 GB of files.',
  },
  'realtime-token': {
    checks: [
      check('an anon key becomes a token of its project', ['tenant'], function* ({ tenant }) {
        const reply = yield send(manage('POST', '/rt/v1/token', tenant.anonKey), 200, {
          token: JWT,
          url: /^wss?:\/\//,
          papel_de_origem: 'anon',
          expires_in: HOUR,
          role: `rt_${tenant.schemaName}`,
        })
        yield hold('claims', readClaims(textAt(reply, 'token')), {
          role: `rt_${tenant.schemaName}`,
          sdb_role: TEXT,
          project_schema: tenant.schemaName,
          sub: TEXT,
          exp: NUMBER,
        })
      }),
      check('a data_plane_token becomes a token of its user', ['lab'], ({ lab }) => [
        send(manage('POST', '/rt/v1/token', lab.ana.dataPlaneToken), 200, {
          papel_de_origem: 'authenticated',
          expires_in: HOUR,
        }),
        hold('claims', readClaims(lab.ana.realtime), { sub: lab.ana.id }),
      ]),
      check(
        'a service role key is accepted',
        ['serviceRoleKey', 'emulator'],
        ({ serviceRoleKey }) => [
          send(manage('POST', '/rt/v1/token', serviceRoleKey), 200, { token: JWT }),
        ],
      ),
      check('an access_token is 401', ['lab'], ({ lab }) => [
        refused(manage('POST', '/rt/v1/token', lab.ana.accessToken), 401, 'unauthorized'),
      ]),
      check('the token of a deleted user is 403', ['lab'], deletedUser('/rt/v1/token', 403)),
    ],
  },
}

/** Checks that the token of a deleted user is refused. */
function deletedUser(path: string, status: number) {
  return function* ({ lab }: { readonly lab: Lab }): Part<void> {
    const name = `gone-at-${path.slice(1, 3)}`
    const { accessToken, dataPlaneToken } = yield* freshUser(lab.home, name)
    yield send(auth(lab.home, 'DELETE', '/user', undefined, accessToken), 200)
    yield send(rest(lab.home, 'GET', '/notes', dataPlaneToken), 401, dataError('unauthorized'))
    yield refused(manage('POST', path, dataPlaneToken), status, TEXT)
  }
}

function lifetimeOf(token: string): number {
  const claims = readClaims(token)
  return Number(claims?.['exp']) - Number(claims?.['iat'])
}

function headerOf(token: string) {
  const [head = ''] = token.split('.')
  const header = parseJson(Buffer.from(head, 'base64url').toString())
  return isJsonObject(header) ? header : undefined
}
