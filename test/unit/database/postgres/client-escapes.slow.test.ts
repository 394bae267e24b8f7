// Limits of programs that connect directly to the server, such as psql. They cannot leave their project, see or disturb others,
// or change objects of the platform.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import { CLIENT_CONNECTIONS } from '../../../../emulator/database/engine-clients.ts'
import {
  databaseOf,
  type LoginKind,
  loginRoleOf,
  passwordOf,
} from '../../../../emulator/database/postgres/connections/logins.ts'
import { noNativeServer } from '../../../support/native-server.ts'
import {
  createNotes,
  startServerForEngines,
  type TestServer,
} from '../../../support/server-engine.ts'
import { until } from '../../../support/until.ts'

const OWN = trusted.schemaName('proj_x')
const OTHER = trusted.schemaName('proj_y')

const REFUSED = [
  'set role proj_y_owner',
  'set role service_role',
  'set role "y.owner"',
  'set role none; select * from proj_x.notes',
  'set role none; alter role current_user superuser',
  'set role none; alter role current_user createrole bypassrls',
  'set role none; alter role current_user connection limit 1000',
  'set role none; grant proj_x_owner to current_user with inherit true',
  'set role none; grant service_role to current_user',
  'set session authorization proj_y_owner',
  `alter role "y.owner" password 'x'`,
  `alter role "x.anon" password 'x'`,
  'grant anon to "x.owner"',
  'revoke anon from "y.anon"',
  'drop role "y.owner"',
  'drop role anon',
  'comment on role anon is $$x$$',
  'alter database proj_x set search_path = x',
  'alter database proj_x rename to other',
  'alter database proj_x connection limit 0',
  'comment on database proj_x is $$x$$',
  'drop database proj_y',
  'drop database proj_x',
  'create extension dblink schema proj_x',
  'create extension postgres_fdw schema proj_x',
  'create extension file_fdw schema proj_x',
  'create extension isn schema proj_x',
  'drop extension pgcrypto cascade',
  'alter extension plpgsql drop function auth.uid()',
  'create or replace function platform.announce_schema_change() returns void return 1',
  'select platform.announce_schema_change()',
  'alter event trigger platform_schema_changed disable',
  'drop function auth.uid() cascade',
  'create publication everything',
  'create trigger t before insert on proj_x.auth_users for each row execute function suppress_redundant_updates_trigger()',
  'create policy p on proj_x.auth_users using (true)',
  'create rule r as on insert to proj_x.auth_users do also nothing',
  'create table proj_x.heir () inherits (proj_x.auth_users)',
  'select * from proj_x.auth_credentials',
  'select * from pg_stat_get_activity(null)',
  'select * from pg_stat_replication',
  `select pg_database_size('proj_y')`,
  'select pg_tablespace_databases(1663)',
  'select pg_current_wal_lsn()',
  'select pg_terminate_backend(pg_backend_pid())',
  'select pg_cancel_backend(pg_backend_pid())',
  'begin; lock table pg_database in access exclusive mode',
  'begin; lock table pg_authid in access share mode',
  `select pg_logical_emit_message(true, 'a', 'b')`,
  `select pg_restore_relation_stats('schemaname', 'pg_catalog', 'relname', 'pg_class', 'relpages', 1)`,
  `select pg_create_physical_replication_slot('x')`,
  'set event_triggers = off',
  'set session_replication_role = replica',
]

describe.skipIf(noNativeServer !== undefined)('a program of the user', () => {
  let made: TestServer

  beforeAll(async () => {
    made = await startServerForEngines()
    const engine = await made.openEngine()
    for (const schemaName of [OWN, OTHER]) await createNotes(engine, schemaName)
    await engine.clients.allow(OWN, passwordOf(made.server.secret, 'x.client'))
  })
  afterAll(() => made?.close())

  const connect = async (
    kind: LoginKind = 'client',
    database = databaseOf('', OWN),
  ): Promise<pg.Client> => {
    const { address, prefix, secret } = made.server
    const user = loginRoleOf(prefix, OWN, kind)
    const password = passwordOf(secret, user)
    const client = new pg.Client({ ...address, user, password, database })
    client.on('error', () => {})
    await client.connect()
    return client
  }

  it.each(REFUSED)('is refused: %s', async (text) => {
    const client = await connect()
    const refusal = client.query(text).finally(() => client.end())
    await expect(refusal).rejects.toMatchObject({ code: '42501' })
  })

  it.each(['anon', 'authenticated', 'service_role', 'realtime'] as const)(
    'reads no settings of another project as %s',
    async (kind) => {
      const client = await connect(kind)
      const text =
        'select pg_get_userbyid(setrole) as role from pg_db_role_setting union all select rolname from pg_roles'
      const { rows } = await client.query<{ role: string }>(text).finally(() => client.end())
      expect(rows.filter(({ role }) => role.includes('proj_y'))).toEqual([])
      expect(rows.some(({ role }) => role.includes('proj_x'))).toBe(true)
    },
  )

  it.each(['proj_y', 'tenantry_empty', 'template1', 'postgres'])(
    'cannot connect to the database %s',
    async (database) => {
      await expect(connect('client', database)).rejects.toMatchObject({ code: '42501' })
    },
  )

  it('cannot use up the connections of other projects', async () => {
    const open: pg.Client[] = []
    const all = async () => {
      for (;;) open.push(await connect())
    }
    await expect(all()).rejects.toMatchObject({ code: '53300' })
    expect(open).toHaveLength(CLIENT_CONNECTIONS)
    const other = await connect('owner')
    for (const client of [...open, other]) await client.end()
  })

  it('receives no notification of another project', async () => {
    const [own, other] = [
      await connect(),
      new pg.Client({ ...made.server.address, database: 'proj_y' }),
    ]
    const received: string[] = []
    own.on('notification', ({ channel }) => received.push(channel))
    await own.query('listen bell')
    await other.connect()
    await other.query('notify bell')
    await own.query('listen done; notify done')
    await until(() => received.includes('done'))
    expect(received).toEqual(['done'])
    await own.end()
    await other.end()
  })
})
