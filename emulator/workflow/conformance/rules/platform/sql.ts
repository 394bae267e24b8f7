// Checks of docs/wire/platform.md: db/exec and the grants of new tables.
import { createTenant } from '../../lab/lab.ts'
import { check, type Lab, type RulesOfPage } from '../../model/check.ts'
import { between, containing, LIST, NUMBER, TEXT } from '../../model/patterns.ts'
import { refused, type Step, send } from '../../model/steps.ts'
import { dataError, manage, rest } from '../requests.ts'
import { exec } from './requests.ts'

/** A statement that db/exec refuses. */
function blocked(lab: Lab, sql: string, status: number, code: string): Step {
  return refused(exec(lab.home, sql), status, code)
}

export const SQL_RULES: RulesOfPage = {
  'db-exec': {
    checks: [
      check('a SELECT returns columns, rows, their number and the duration', ['lab'], ({ lab }) => [
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
      check('a grant to public is changed, with an aviso', ['lab'], ({ lab }) => [
        send(
          exec(
            lab.home,
            'create table shown (id int primary key); grant select on shown to public',
          ),
          200,
          { avisos: containing({ tipo: 'grant_public_convertido', objeto: /shown/ }) },
        ),
      ]),
      check('a removed project is 403', ['lab'], function* ({ lab }) {
        const slug = `${lab.prefix}_execless`
        const tenant = yield* createTenant(lab.group, slug)
        const path = `/groups/v1/${lab.group.id}/tenants/${slug}`
        yield send(manage('DELETE', path, lab.group.key), 200)
        yield refused(exec(tenant, 'select 1'), 403, 'forbidden')
      }),
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
      check('the session of the owner is accepted', ['lab', 'owner'], ({ lab, owner }) => [
        send(exec({ ...lab.home, managementKey: owner.session }, 'select 1 as n'), 200, {
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
  'grants-on-all': {
    checks: [
      check('a grant on all tables reaches only the own ones', ['lab'], ({ lab }) => [
        send(
          exec(
            lab.home,
            `create table reached (id int primary key); grant truncate on all tables in schema ${lab.home.schemaName} to anon`,
          ),
          200,
          { error: undefined },
        ),
        send(
          exec(
            lab.home,
            "select has_table_privilege('anon', 'reached', 'truncate') as own, has_table_privilege('anon', 'auth_users', 'truncate') as others",
          ),
          200,
          { rows: [{ own: true, others: false }] },
        ),
      ]),
      check('a grant on a table of the platform is refused', ['lab'], ({ lab }) => [
        send(exec(lab.home, 'grant select on auth_credentials to anon'), 200, {
          error: { code: '42501' },
        }),
      ]),
    ],
  },
}
