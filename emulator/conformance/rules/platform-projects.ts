// Checks of docs/wire/platform.md: templates, projects, keys, db/exec and buckets.
import { createTenant } from '../lab/lab.ts'
import { check, type Lab, type LabTenant, type RulesOfPage } from '../model/check.ts'
import {
  between,
  containing,
  EMPTY,
  JWT,
  LIST,
  NUMBER,
  nullOr,
  oneOf,
  TEXT,
  UUID,
} from '../model/patterns.ts'
import { refused, type Step, send, textAt, type WireRequest } from '../model/steps.ts'
import { dataError, manage, NO_ID, rest } from './requests.ts'

/** Runs SQL in a tenant with its management key. */
function exec({ managementKey, projectId }: LabTenant, sql: string): WireRequest {
  return manage('POST', `/platform/v1/projects/${projectId}/db/exec`, managementKey, { sql })
}

/** A statement that db/exec refuses. */
function blocked(lab: Lab, sql: string, status: number, code: string): Step {
  return refused(exec(lab.home, sql), status, code)
}

export const TEMPLATE_RULES: RulesOfPage = {
  publish: {
    checks: [
      check(
        'publishing makes the next version, which new tenants get',
        ['lab'],
        function* ({ lab }) {
          const add = 'create table added_later (id int primary key)'
          const source = `/platform/v1/projects/${lab.template.id}/db/exec`
          yield send(manage('POST', source, lab.session, { sql: add }), 200, { error: undefined })
          yield send(
            manage('POST', `/groups/v1/${lab.group.id}/template/publish`, lab.group.key, {}),
            201,
            {
              template: { id: TEXT, slug: `${lab.template.slug}_v2`, name: TEXT },
              source_project_slug: lab.template.slug,
              tables_copied: NUMBER,
              foreign_keys: between(1, 20),
              tenants_na_versao_anterior: between(2, 100),
              aviso: nullOr(TEXT),
            },
          )
          const later = yield* createTenant(lab.group, `${lab.prefix}_later`)
          yield send(rest(later, 'GET', '/added_later', later.anonKey), 200, [])
          yield send(
            rest(lab.home, 'GET', '/added_later', lab.home.anonKey),
            404,
            dataError('PGRST205'),
          )
        },
      ),
      check('another group is 403 forbidden', ['lab'], ({ lab }) => [
        refused(
          manage('POST', '/groups/v1/grp_aaaaaaaaaaaaaaaaaaaa/template/publish', lab.group.key, {}),
          403,
          'forbidden',
        ),
      ]),
      check('a request without a key is 401', ['lab'], ({ lab }) => [
        refused(
          manage('POST', `/groups/v1/${lab.group.id}/template/publish`, undefined, {}),
          401,
          'unauthorized',
        ),
      ]),
    ],
    unchecked: 'fonte_indisponivel and clone_incompleto are failures of the platform itself.',
  },
  clone: {
    checks: [
      check('a tenant has tables, constraints and sequences, and no rows', ['lab'], ({ lab }) => [
        send(rest(lab.neighbour, 'GET', '/shared', lab.neighbour.serviceRoleKey), 200, []),
        send(
          rest(lab.neighbour, 'POST', '/notes', lab.neighbour.serviceRoleKey, {
            json: { body: 'forbidden', owner_id: NO_ID },
          }),
          400,
          dataError('23514'),
        ),
        send(
          rest(lab.neighbour, 'POST', '/notes', lab.neighbour.serviceRoleKey, {
            json: { body: 'first', owner_id: NO_ID },
            headers: { prefer: 'return=representation' },
          }),
          201,
          [{ id: NUMBER, body: 'first' }],
        ),
      ]),
      check('triggers and policies are cloned, too', ['lab', 'emulator'], ({ lab }) => [
        send(
          rest(lab.home, 'POST', '/stamped', lab.home.serviceRoleKey, {
            json: { id: 1 },
            headers: { prefer: 'return=representation' },
          }),
          201,
          [{ id: 1, stamp: 'by trigger' }],
        ),
        send(rest(lab.home, 'POST', '/inbox', lab.home.anonKey, { json: { body: 'policy' } }), 201),
      ]),
    ],
  },
  'template-unavailable': {
    checks: [
      check(
        'a group without its template is 409 template_indisponivel',
        ['lab', 'emulator'],
        function* ({ lab }) {
          const slug = `${lab.prefix}_lost`
          const project = yield send(
            manage('POST', '/platform/v1/projects', lab.session, { name: slug, slug }),
            201,
          )
          const order = { name: slug, template_project_id: `proj_${slug}` }
          const group = yield send(manage('POST', '/platform/v1/groups', lab.session, order), 201)
          const id = textAt(group, 'id')
          const keys = `/platform/v1/groups/${id}/keys`
          const key = textAt(yield send(manage('POST', keys, lab.session, {}), 201), 'key')
          const removal = `/platform/v1/projects/${textAt(project, 'id')}`
          yield send(manage('DELETE', removal, lab.session), between(200, 204))
          yield refused(
            manage('POST', `/groups/v1/${id}/tenants`, key, { slug: `${slug}_1` }),
            409,
            'template_indisponivel',
          )
        },
      ),
    ],
    unchecked: 'A dedicated database belongs to the hosted platform.',
  },
  projects: {
    checks: [
      check(
        'a project is created, read, changed and removed',
        ['lab', 'emulator'],
        function* ({ lab }) {
          const slug = `${lab.prefix}_project`
          const projects = '/platform/v1/projects'
          const made = yield send(
            manage('POST', projects, lab.session, { name: 'Notes', slug }),
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
          yield send(manage('GET', projects, lab.session), 200, containing({ slug }))
          yield send(manage('PATCH', path, lab.session, { name: 'Renamed' }), 200)
          yield send(manage('GET', path, lab.session), 200, { slug, name: 'Renamed' })
          yield send(manage('DELETE', path, lab.session), between(200, 204))
          yield refused(manage('GET', path, lab.session), 404, 'not_found')
        },
      ),
      check('a used slug is 409 slug_taken', ['lab', 'emulator'], ({ lab }) => [
        refused(
          manage('POST', '/platform/v1/projects', lab.session, {
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
    unchecked: 'Sign-up would leave an account, which has no route to remove it.',
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
      check('the owner lists and revokes keys', ['lab'], function* ({ lab }) {
        const path = `/platform/v1/projects/${lab.home.projectId}/db/keys`
        const made = yield send(manage('POST', path, lab.session, { label: 'gone' }), 201, {
          key: /^sdb_pmk_/,
        })
        const managementKey = textAt(made, 'key')
        const listed = yield send(manage('GET', path, lab.session), 200)
        yield {
          kind: 'hold',
          what: 'list contains the key',
          value: listed.text.includes(managementKey),
          pattern: false,
        }
        yield send(manage('DELETE', `${path}/${textAt(made, 'id')}`, lab.session), 204, EMPTY)
        yield refused(exec({ ...lab.home, managementKey }, 'select 1'), 401, 'unauthorized')
      }),
    ],
  },
  'db-exec': {
    checks: [
      check('a SELECT returns columns, rows and numbers', ['lab'], ({ lab }) => [
        send(exec(lab.home, "select 1 as n, 'x' as t"), 200, {
          columns: ['n', 't'],
          rows: [{ n: 1, t: 'x' }],
          rows_affected: 1,
          duration_ms: NUMBER,
          error: undefined,
        }),
      ]),
      check('of several statements, the last one answers', ['lab'], ({ lab }) => [
        send(exec(lab.home, 'select 1 as a; select 2 as b'), 200, {
          columns: ['b'],
          rows: [{ b: 2 }],
        }),
      ]),
      check('an SQL error is 200 with code, message and line', ['lab'], ({ lab }) => [
        send(exec(lab.home, 'select 1;\nselect nope'), 200, {
          error: { code: '42703', message: TEXT, line: 2 },
        }),
      ]),
      check('a failed statement undoes those before it', ['lab'], ({ lab }) => [
        send(exec(lab.home, 'create table half (id int); select 1/0'), 200, {
          error: { code: '22012' },
        }),
        send(
          exec(lab.home, "select count(*)::int as n from pg_tables where tablename = 'half'"),
          200,
          {
            rows: [{ n: 0 }],
          },
        ),
      ]),
      check('transaction control is 400', ['lab'], ({ lab }) =>
        ['begin', 'commit', 'rollback', 'savepoint a'].map((sql) =>
          blocked(lab, sql, 400, 'transaction_control_blocked'),
        ),
      ),
      check('a change of role is 403', ['lab'], ({ lab }) =>
        ['set role anon', 'reset role', 'set session authorization anon'].map((sql) =>
          blocked(lab, sql, 403, 'role_change_blocked'),
        ),
      ),
      check('other schemas are 403', ['lab'], ({ lab }) =>
        [
          'select * from pg_catalog.pg_class',
          'select * from information_schema.tables',
          `select * from ${lab.neighbour.schemaName}.notes`,
        ].map((sql) => blocked(lab, sql, 403, 'system_schema_protected')),
      ),
      check('unqualified catalogues work', ['lab'], ({ lab }) => [
        send(exec(lab.home, "select tablename from pg_tables where tablename = 'notes'"), 200, {
          rows: containing({ tablename: 'notes' }),
        }),
        send(
          exec(lab.home, "select count(*)::int as n from pg_policies where tablename = 'notes'"),
          200,
          {
            rows: [{ n: between(1, 9) }],
          },
        ),
      ]),
      check('a SELECT without LIMIT returns at most 1,000 rows', ['lab'], function* ({ lab }) {
        const reply = yield send(exec(lab.home, 'select generate_series(1, 1500) as n'), 200, {
          rows: LIST,
        })
        const { body } = reply
        const rows = typeof body === 'object' && body !== null && 'rows' in body ? body.rows : []
        const value = Array.isArray(rows) ? rows.length : 0
        yield { kind: 'hold', what: 'number of rows', value, pattern: 1_000 }
      }),
      check('a table without row-level security has an aviso', ['lab'], ({ lab }) => [
        send(exec(lab.home, 'create table warned (id int primary key)'), 200, {
          avisos: containing({
            tipo: 'rls_desligada',
            objeto: /warned/,
            mensagem: TEXT,
            como_corrigir: TEXT,
          }),
        }),
      ]),
      check('the key of another project is 403, and a bad key is 401', ['lab'], ({ lab }) => [
        refused(
          exec({ ...lab.home, managementKey: lab.neighbour.managementKey }, 'select 1'),
          403,
          'forbidden',
        ),
        refused(
          exec({ ...lab.home, managementKey: `sdb_pmk_${'x'.repeat(43)}` }, 'select 1'),
          401,
          'unauthorized',
        ),
      ]),
      check('the session of the owner is accepted', ['lab'], ({ lab }) => [
        send(exec({ ...lab.home, managementKey: lab.session }, 'select 1 as n'), 200, {
          rows: [{ n: 1 }],
        }),
      ]),
    ],
  },
  'default-grants': {
    checks: [
      check('a new table can be read by anon and written by users at once', ['lab'], ({ lab }) => [
        send(exec(lab.home, 'create table granted (id int primary key)'), 200, {
          error: undefined,
        }),
        send(rest(lab.home, 'GET', '/granted', lab.home.anonKey), 200, []),
        send(
          rest(lab.home, 'POST', '/granted', lab.home.anonKey, { json: { id: 1 } }),
          401,
          dataError('42501'),
        ),
        send(rest(lab.home, 'POST', '/granted', lab.ana.dataPlaneToken, { json: { id: 1 } }), 201),
        send(rest(lab.home, 'DELETE', '/granted?id=eq.1', lab.home.serviceRoleKey), 204),
      ]),
      check('service_role passes row-level security', ['lab'], ({ lab }) => [
        send(
          exec(
            lab.home,
            'create table closed (id int primary key); alter table closed enable row level security; insert into closed values (1)',
          ),
          200,
          { error: undefined },
        ),
        send(rest(lab.home, 'GET', '/closed', lab.home.anonKey), 200, []),
        send(rest(lab.home, 'GET', '/closed', lab.home.serviceRoleKey), 200, [{ id: 1 }]),
      ]),
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
