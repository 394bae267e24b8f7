// Checks of docs/wire/platform.md: projects, keys and buckets.
import { check, type RulesOfPage } from '../../model/check.ts'
import { between, containing, EMPTY, JWT, oneOf, TEXT, UUID } from '../../model/patterns.ts'
import { refused, send, textAt } from '../../model/steps.ts'
import { dataError, manage, rest } from '../requests.ts'
import { exec } from './requests.ts'

export const PROJECT_RULES: RulesOfPage = {
  projects: {
    checks: [
      check(
        'a project is created, read, changed and removed',
        ['lab', 'owner', 'emulator'],
        function* ({ lab, owner }) {
          const slug = `${lab.prefix}_project`
          const projects = '/platform/v1/projects'
          const made = yield send(
            manage('POST', projects, owner.session, { name: 'Notes', slug }),
            201,
            {
              id: UUID,
              slug,
              schema_name: `proj_${slug}`,
              name: 'Notes',
              plan: 'pro',
              anon_key: JWT,
              service_role_key: JWT,
            },
          )
          const path = `${projects}/${textAt(made, 'id')}`
          yield send(manage('GET', projects, owner.session), 200, containing({ slug }))
          yield send(manage('PATCH', path, owner.session, { name: 'Renamed' }), 200)
          yield send(manage('GET', path, owner.session), 200, { slug, name: 'Renamed' })
          yield send(manage('DELETE', path, owner.session), between(200, 204))
          yield refused(manage('GET', path, owner.session), 404, 'not_found')
        },
      ),
      check('a used slug is 409 slug_taken', ['lab', 'owner', 'emulator'], ({ lab, owner }) => [
        refused(
          manage('POST', '/platform/v1/projects', owner.session, {
            name: 'Twice',
            slug: lab.home.slug,
          }),
          409,
          'slug_taken',
        ),
      ]),
    ],
  },
  accounts: {
    checks: [
      check('a wrong password is 401 unauthorized', ['emulator'], () => [
        refused(
          manage('POST', '/platform/v1/session', undefined, {
            email: 'unknown@conformance.test',
            password: 'not-the-password',
          }),
          401,
          'unauthorized',
        ),
      ]),
    ],
    unchecked: 'Sign-up would leave an account, and no route removes accounts.',
  },
  origins: {
    checks: [
      check('another page is 403 foreign_origin without CORS headers', ['emulator'], () => [
        send(
          {
            ...manage('GET', '/platform/v1/groups'),
            headers: { origin: 'http://evil.example' },
          },
          403,
          { error: { code: 'foreign_origin' } },
          { 'access-control-allow-origin': undefined },
        ),
      ]),
      check('the data plane answers every origin', ['tenant'], ({ tenant }) => [
        send(
          rest(tenant, 'GET', '/conformance_table', tenant.anonKey, {
            headers: { origin: 'http://evil.example' },
          }),
          404,
          dataError('PGRST205'),
          { 'access-control-allow-origin': TEXT },
        ),
      ]),
    ],
  },
  'management-keys': {
    checks: [
      check('a key of a tenant authorises db/exec of its project', ['lab'], function* ({ lab }) {
        const path = `/groups/v1/${lab.group.id}/tenants/${lab.home.slug}/keys`
        const made = yield send(manage('POST', path, lab.group.key, { label: 'ci' }), 201, {
          id: TEXT,
          key: /^sdb_pmk_[\w-]{43}$/,
          prefix: /^sdb_pmk_/,
          label: 'ci',
          expires_at: null,
        })
        const managementKey = textAt(made, 'key')
        yield send(exec({ ...lab.home, managementKey }, 'select 1 as n'), 200, { rows: [{ n: 1 }] })
        yield refused(exec({ ...lab.neighbour, managementKey }, 'select 1'), 403, 'forbidden')
      }),
      check('expires_in_days sets expires_at', ['lab'], ({ lab }) => [
        send(
          manage(
            'POST',
            `/groups/v1/${lab.group.id}/tenants/${lab.home.slug}/keys`,
            lab.group.key,
            { label: 'short', expires_in_days: 1 },
          ),
          201,
          { expires_at: /^\d{4}-\d\d-\d\dT/ },
        ),
      ]),
      check('the owner lists and revokes keys', ['lab', 'owner'], function* ({ lab, owner }) {
        const path = `/platform/v1/projects/${lab.home.projectId}/db/keys`
        const made = yield send(manage('POST', path, owner.session, { label: 'gone' }), 201, {
          key: /^sdb_pmk_/,
        })
        const managementKey = textAt(made, 'key')
        const listed = yield send(manage('GET', path, owner.session), 200)
        yield {
          kind: 'hold',
          what: 'list contains the key',
          value: listed.text.includes(managementKey),
          pattern: false,
        }
        yield send(manage('DELETE', `${path}/${textAt(made, 'id')}`, owner.session), 204, EMPTY)
        yield refused(exec({ ...lab.home, managementKey }, 'select 1'), 401, 'unauthorized')
      }),
    ],
  },
  'connection-string': {
    checks: [
      check('the route returns an address of Postgres, or 409', ['lab'], ({ lab }) => [
        send(
          manage(
            'GET',
            `/platform/v1/projects/${lab.home.projectId}/db/connection-string`,
            lab.home.managementKey,
          ),
          oneOf(200, 409),
          oneOf(
            { connection_string: /^postgres(ql)?:\/\// },
            { error: { code: 'postgres_unavailable' } },
          ),
        ),
      ]),
      check('the key of another project is 403', ['lab'], ({ lab }) => [
        refused(
          manage(
            'GET',
            `/platform/v1/projects/${lab.home.projectId}/db/connection-string`,
            lab.neighbour.managementKey,
          ),
          403,
          'forbidden',
        ),
      ]),
    ],
  },
  buckets: {
    checks: [
      check('a bucket gets its full name and 50 MB', ['lab'], ({ lab }) => [
        send(
          manage(
            'POST',
            `/platform/v1/projects/${lab.home.projectId}/buckets`,
            lab.home.managementKey,
            { name: 'short', public: true },
          ),
          201,
          { id: `${lab.home.schemaName}_short`, public: true, file_size_limit: 52_428_800 },
        ),
        send(
          manage(
            'GET',
            `/platform/v1/projects/${lab.home.projectId}/buckets`,
            lab.home.managementKey,
          ),
          200,
          containing({ id: `${lab.home.schemaName}_short` }),
        ),
      ]),
      check('a used name is 409 bucket_taken', ['lab'], ({ lab }) => [
        refused(
          manage(
            'POST',
            `/platform/v1/projects/${lab.home.projectId}/buckets`,
            lab.home.managementKey,
            { name: 'files' },
          ),
          409,
          'bucket_taken',
        ),
      ]),
      check('the key of another project is 403', ['lab'], ({ lab }) => [
        refused(
          manage(
            'GET',
            `/platform/v1/projects/${lab.home.projectId}/buckets`,
            lab.neighbour.managementKey,
          ),
          403,
          'forbidden',
        ),
      ]),
    ],
  },
}
