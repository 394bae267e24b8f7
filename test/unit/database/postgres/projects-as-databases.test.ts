import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SchemaName, trusted } from '../../../../emulator/core/names.ts'
import type { EngineProjects } from '../../../../emulator/database/engine-projects.ts'
import {
  databaseOf,
  LOGIN_KINDS,
  type LoginKind,
  loginRoleOf,
  passwordOf,
} from '../../../../emulator/database/postgres/connections/logins.ts'
import type { DatabasesRoom } from '../../../../emulator/database/postgres/projects/databases-room.ts'
import { prepareServer } from '../../../../emulator/database/postgres/projects/empty-database.ts'
import { projectsAsDatabases } from '../../../../emulator/database/postgres/projects/projects-as-databases.ts'
import type { RunningServer } from '../../../../emulator/database/postgres/server/running-server.ts'
import { bareRoom } from '../../../support/bare-room.ts'
import { noNativeServer, serverFolder, startTestServer } from '../../../support/native-server.ts'

const named = trusted.schemaName
const SHOP = named('proj_shop')
const OTHER = named('proj_other')

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
  }, 60_000)

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
  ] as const)('begin a session of %s as %s', async (kind, role) => {
    expect(await askAs(kind, 'select current_user')).toEqual([role])
  })

  it.each(LOGIN_KINDS)('refuse %s in another project’s database', async (kind) => {
    const visit = askAs(kind, 'select 1', { login: SHOP, database: OTHER })
    await expect(visit).rejects.toMatchObject({ code: '42501' })
  })

  it('refuse a tenant in the databases that every server has', async () => {
    const text = `select string_agg(datname, ' ') from pg_database
      where datallowconn and has_database_privilege(session_user, oid, 'connect')`
    expect(await askAs('client', text)).toEqual(['proj_shop'])
  })

  it('prepare a server a second time without an effect', async () => {
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

  it('follow a new name, and leave the former one', async () => {
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

  it('repair a login whose password a tenant has changed', async () => {
    await askAs('owner', `set role none; alter role current_user password 'other'`)
    await expect(askAs('owner', 'select 1')).rejects.toMatchObject({ code: '28P01' })
    await projects.create(SHOP)
    expect(await askAs('owner', 'select current_user')).toEqual(['proj_shop_owner'])
  })
})
