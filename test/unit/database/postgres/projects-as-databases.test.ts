import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownerRoleOf, type SchemaName, trusted } from '../../../../emulator/core/names.ts'
import { SHARED_ROLES } from '../../../../emulator/core/principal.ts'
import type { EngineProjects } from '../../../../emulator/database/engine-projects.ts'
import {
  databaseOf,
  LOGIN_KINDS,
  type LoginKind,
  Logins,
  loginRoleOf,
  passwordOf,
} from '../../../../emulator/database/postgres/connections/logins.ts'
import { clientLogins } from '../../../../emulator/database/postgres/projects/client-logins.ts'
import type { DatabasesRoom } from '../../../../emulator/database/postgres/projects/databases-room.ts'
import { prepareServer } from '../../../../emulator/database/postgres/projects/empty-database.ts'
import { projectsAsDatabases } from '../../../../emulator/database/postgres/projects/projects-as-databases.ts'
import type { RunningServer } from '../../../../emulator/database/postgres/server/running-server.ts'
import { bareRoom } from '../../../support/bare-room.ts'
import {
  ask,
  noNativeServer,
  serverFolder,
  startTestServer,
} from '../../../support/native-server.ts'

const named = trusted.schemaName
const SHOP = named('proj_shop')
const BUILT = named('proj_built')
const OTHER = named('proj_other')

// Query that describes owners, privileges and policies of a project as text.
const DESCRIBE = `select string_agg(line, chr(10) order by line) from (
  select 'owner ' || oid::regclass::text || ' ' || pg_get_userbyid(relowner) as line from pg_class
  where relnamespace::regnamespace::text ~ '^proj_'
  union all select 'right ' || acl::text || ' ' || c.oid::regclass::text from pg_class as c, unnest(relacl) as acl
  where relnamespace::regnamespace::text ~ '^proj_'
  union all select 'schema ' || acl::text from pg_namespace, unnest(nspacl) as acl where nspname ~ '^proj_'
  union all select 'default ' || defaclobjtype::text || acl::text from pg_default_acl, unnest(defaclacl) as acl
  union all select 'routine ' || pg_get_userbyid(proowner) from pg_proc
  where pronamespace::regnamespace::text ~ '^proj_'
  union all select 'policy ' || policyname || (select array_agg(r order by r) from unnest(roles) as r)::text from pg_policies
  union all select 'role ' || rolname from pg_roles
  where oid in (select refobjid from pg_shdepend join pg_database as d on d.oid = dbid where datname = current_database())
) as lines`

describe.skipIf(noNativeServer !== undefined)('projects as databases', () => {
  const folder = serverFolder()
  let server: RunningServer
  let room: DatabasesRoom
  let projects: EngineProjects

  beforeAll(async () => {
    server = await startTestServer(folder.path)
    room = bareRoom(server)
    projects = projectsAsDatabases(room)
    await prepareServer(room)
    await projects.create(SHOP)
    await projects.create(OTHER)
    const login = loginRoleOf(server.prefix, SHOP, 'client')
    await clientLogins(room, server).allow(SHOP, passwordOf(server.secret, login))
  })

  afterAll(async () => {
    await server.close()
    folder.remove()
  })

  const askAs = async (
    kind: LoginKind,
    text: string,
    { login = SHOP, database }: { login?: SchemaName; database?: SchemaName } = {},
  ): Promise<unknown[]> => {
    const user = loginRoleOf(server.prefix, login, kind)
    const client = new pg.Client({
      ...server.address,
      user,
      password: passwordOf(server.secret, user),
      database: databaseOf(server.prefix, database ?? login),
    })
    await client.connect()
    try {
      const answer: unknown = await client.query({ text, rowMode: 'array' })
      const last = (Array.isArray(answer) ? answer.at(-1) : answer) as pg.QueryArrayResult<
        unknown[]
      >
      return last.rows[0] ?? []
    } finally {
      await client.end()
    }
  }

  it.each([
    ['owner', 'proj_shop_owner'],
    ['client', 'proj_shop_owner'],
    ['anon', 'anon'],
    ['authenticated', 'authenticated'],
    ['service_role', 'service_role'],
    ['auth_admin', 'auth_admin'],
    ['row_reader', 'row_reader'],
    ['realtime', 'rt_proj_shop'],
    ['rehearsal', 'proj_shop_owner'],
  ] as const)('start a session of the login %s with the role %s', async (kind, role) => {
    expect(await askAs(kind, 'select current_user')).toEqual([role])
  })

  it.each(LOGIN_KINDS)('refuse the login %s in another project’s database', async (kind) => {
    const visit = askAs(kind, 'select 1', { login: SHOP, database: OTHER })
    await expect(visit).rejects.toMatchObject({ code: '42501' })
  })

  it('are updated when an earlier version of Tenantry created them', async () => {
    const facts = `select string_agg(evtname || ' ' || evtevent || ' ' || (select string_agg(deptype, '')
      from pg_depend where objid = trigger.oid), ', ' order by evtname) from pg_event_trigger as trigger`
    const address = { ...server.address, database: databaseOf(server.prefix, SHOP) }
    const versionOf = (database: string) =>
      ask(
        server.address,
        `select shobj_description(oid, 'pg_database') from pg_database where datname = '${database}'`,
      )
    const before = await ask(address, facts)
    const version = await versionOf(address.database)
    await ask(server.address, `comment on database ${address.database} is 'tenantry earlier'`)
    await ask(server.address, `comment on database tenantry_empty is 'tenantry earlier'`)
    await prepareServer(room)
    expect(await versionOf(address.database)).toBe(version)
    expect(await versionOf('tenantry_empty')).toBe(version)
    expect(await ask(address, facts)).toBe(before)
    expect(before).toContain('platform_schema_changed ddl_command_end')
  })

  it('do not let a tenant connect to the databases that every server has', async () => {
    const text = `select string_agg(datname, ' ') from pg_database
      where datallowconn and has_database_privilege(session_user, oid, 'connect')`
    expect(await askAs('client', text)).toEqual(['proj_shop'])
  })

  it('accept programs of the user only with the password that the platform set last', async () => {
    const clients = clientLogins(room, server)
    const connect = (password: string) =>
      ask({ ...server.address, password, ...clients.loginOf(OTHER) }, 'select current_user')
    await expect(connect('first')).rejects.toMatchObject({ code: '28P01' })
    await clients.allow(OTHER, 'first')
    expect(await connect('first')).toBe('proj_other_owner')
    await clients.allow(OTHER, 'second')
    await expect(connect('first')).rejects.toMatchObject({ code: '28P01' })
    await clients.refuse(OTHER)
    await expect(connect('second')).rejects.toMatchObject({ code: '28P01' })
    await clients.refuse(named('proj_nobody'))
  })

  it('do not change a server that was already prepared', async () => {
    const scripts: string[] = []
    await prepareServer({
      ...room,
      admin: (where, work) => {
        scripts.push(where)
        return room.admin(where, work)
      },
    })
    expect(scripts).toEqual(['cluster'])
  })

  it('can belong to an account without superuser rights', async () => {
    await ask(server.address, `create role builder login createrole createdb password 'builder'`)
    const address = { ...server.address, user: 'builder', password: 'builder', database: 'meeting' }
    await ask(server.address, 'create database meeting')
    const limited = bareRoom({
      ...server,
      address,
      prefix: 't3_',
      facts: { ...server.facts, isSuperuser: false },
    })
    await expect(prepareServer(limited)).rejects.toMatchObject({
      code: 'server_refused',
      hint: 'Run as a superuser: grant anon, auth_admin, authenticated, project_owner, row_reader, service_role to "builder" with admin option',
    })
    await ask(
      server.address,
      `grant project_owner, ${SHARED_ROLES.join(', ')} to builder with admin option`,
    )
    expect(await prepareServer(limited)).toEqual([
      {
        capability: 'closed databases',
        consequence: 'PUBLIC may connect to "meeting", so the logins of projects may, too.',
      },
    ])
    const others = projectsAsDatabases(limited)
    await others.create(BUILT)
    const source = { ...server, prefix: 't3_' }
    const owner = new Logins(source).ofActor({ schemaName: BUILT, role: ownerRoleOf(BUILT) })
    await ask(owner, `create table proj_built.notes as select 7 as cell`)
    const reader = new Logins(source).ofActor({ schemaName: BUILT, role: 'row_reader' })
    expect(await ask(reader, 'select cell from proj_built.notes')).toBe(7)
    await others.rename(BUILT, named('proj_moved'))
    await others.drop(named('proj_moved'))
    expect(await others.list('proj_')).toEqual([])
  })

  it('are renamed with their project, and free the former name', async () => {
    const [before, after] = [named('proj_before'), named('proj_after')]
    await projects.create(before)
    await askAs('owner', 'create table proj_before.kept as select 7 as cell', { login: before })
    await projects.rename(before, after)
    expect(await askAs('owner', 'select cell from proj_after.kept', { login: after })).toEqual([7])
    expect(await askAs('anon', 'select current_user', { login: after })).toEqual(['anon'])
    await projects.create(before)
    await projects.drop(before)
    await projects.drop(after)
    expect(await projects.list('proj_')).toEqual([OTHER, SHOP])
  })

  it('can be prepared on one server for eight data directories at once', async () => {
    const prefixes = Array.from({ length: 8 }, (_, place) => `p${place}_`)
    const prepared = await Promise.allSettled(
      prefixes.map((prefix) => prepareServer(bareRoom({ ...server, prefix }))),
    )
    expect(prepared.map(({ status }) => status)).toEqual(prefixes.map(() => 'fulfilled'))
  })

  it('can be created, renamed and dropped with one slug for two data directories at once', async () => {
    const cycle = async (prefix: string, spare: SchemaName): Promise<void> => {
      const own = { ...server, prefix }
      const databases = projectsAsDatabases(bareRoom(own))
      for (let round = 0; round < 4; round += 1) {
        await databases.create(spare)
        await databases.rename(spare, named('proj_same'))
        await databases.drop(named('proj_same'))
      }
    }
    for (const prefix of ['t5_', 't6_']) await prepareServer(bareRoom({ ...server, prefix }))
    const cycles = await Promise.allSettled([
      cycle('t5_', named('proj_spare_5')),
      cycle('t6_', named('proj_spare_6')),
    ])
    expect(cycles).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'fulfilled', value: undefined },
    ])
    const left = await ask(
      server.address,
      "select count(*) from pg_roles where rolname ~ 'proj_same'",
    )
    expect(left).toBe('0')
  })

  it('get another name when another data directory has a project of the same name', async () => {
    const others = { ...server, prefix: 't2_' }
    const theirs = projectsAsDatabases(bareRoom(others))
    await prepareServer(bareRoom(others))
    const draft = named('proj_draft')
    await theirs.create(draft)
    const describeOf = async (schemaName: SchemaName) =>
      await ask(new Logins(others).ofPlatform(schemaName), DESCRIBE)
    await ask(
      new Logins(others).ofActor({ schemaName: draft, role: ownerRoleOf(draft) }),
      `set search_path = proj_draft;
       create table notes (id serial, body text);
       alter table notes enable row level security;
       create policy own on notes to proj_draft_owner, rt_proj_draft, anon using (true);
       grant select on notes to rt_proj_draft;
       create function touch() returns integer return 1;
       alter default privileges in schema proj_draft grant execute on functions to anon`,
    )
    const before = await describeOf(draft)
    await theirs.rename(draft, SHOP)
    const after = String(await describeOf(SHOP))
    expect(after.replaceAll('proj_shop', 'proj_draft')).toBe(before)
    expect(await ask(new Logins(others).ofRehearsal(SHOP), 'select current_user')).toBe(
      'proj_shop_owner',
    )
    expect(await askAs('owner', 'select current_user')).toEqual(['proj_shop_owner'])
    await theirs.drop(SHOP)
    expect(await askAs('owner', 'select current_user')).toEqual(['proj_shop_owner'])
    expect(await theirs.list('proj_')).toEqual([])
  })
})
