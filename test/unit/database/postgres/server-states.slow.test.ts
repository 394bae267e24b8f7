// States of a server engine, which are copies of databases, and failures while databases are copied.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type SchemaName, trusted } from '../../../../emulator/core/names.ts'
import { createRowReader } from '../../../../emulator/database/row-reader.ts'
import { identifier, sql } from '../../../../emulator/database/sql.ts'
import { type EngineWithStates, openEngineWithStates } from '../../../support/engine-with-states.ts'
import { noNativeServer, serverFolder } from '../../../support/native-server.ts'
import {
  admin,
  createTestTenant,
  lastCell,
  runAsOwner,
  runAsRole,
} from '../../../support/test-engine.ts'
import { untilAsync } from '../../../support/until.ts'

const named = trusted.schemaName
const SHOP = named('proj_shop')
const OTHER = named('proj_other')
const COPIES = "select count(*) from pg_database where datname ~ '^tenantry_copy'"
const PARKED = "select count(*) from pg_roles where rolname ~ '^tenantry_role'"

describe.skipIf(noNativeServer !== undefined)('states of a server', () => {
  const folder = serverFolder()
  let opened: EngineWithStates

  const count = async (project: SchemaName = SHOP) =>
    lastCell(await runAsOwner(opened.engine, project, 'select count(*) from notes'))
  const write = (project: SchemaName = SHOP) =>
    runAsOwner(opened.engine, project, "insert into notes (body) values ('new')")
  const psql = async (project: SchemaName): Promise<pg.Client> => {
    const client = new pg.Client(await opened.clientOf(project))
    client.on('error', () => {})
    await client.connect()
    return client
  }

  beforeAll(async () => {
    opened = await openEngineWithStates(folder.path)
    await createTestTenant(opened.engine, SHOP)
    await createTestTenant(opened.engine, OTHER)
    await opened.engine.setBaseline()
  })

  beforeEach(async () => {
    await opened.engine.restoreBaseline()
  })

  afterAll(async () => {
    await opened.close()
    folder.remove()
  })

  it('restore rows that psql changed, also when Tenantry has written nothing', async () => {
    const client = await psql(SHOP)
    await client.query("insert into notes (body) values ('psql')")
    await client.query("select nextval('notes_id_seq')")
    await client.end()
    expect(await count()).toBe('3')
    await opened.engine.restoreBaseline()
    expect(await count()).toBe('2')
    expect(
      lastCell(
        await runAsOwner(opened.engine, SHOP, 'insert into notes default values returning id'),
      ),
    ).toBe('3')
  })

  it('restore rows that psql changed before a crash of the server, which resets its counters', async () => {
    await write()
    await opened.engine.restoreBaseline()
    const client = await psql(SHOP)
    await client.query("insert into notes (body) values ('psql')")
    await client.end()
    const file = join(folder.path, 'postgres-server', 'cluster', 'postmaster.pid')
    process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGKILL')
    await untilAsync(() => count(OTHER).then(Boolean, () => false))
    await opened.engine.restoreBaseline()
    expect(await count()).toBe('2')
  })

  it('finish the removal of a project that a crash of the server interrupted', async () => {
    const gone = named('proj_gone')
    await createTestTenant(opened.engine, gone)
    const itself = "where datname like '%proj_gone'"
    await admin(opened.engine, 'cluster', `update pg_database set datconnlimit = -2 ${itself}`)
    await opened.engine.save(join(folder.path, 'without-gone'))
    expect(
      await admin(opened.engine, 'cluster', `select count(*) from pg_database ${itself}`),
    ).toBe('0')
    await opened.engine.projects.drop(gone)
  })

  it('disconnect psql from the projects that they restore', async () => {
    const client = await psql(SHOP)
    await write()
    await opened.engine.restoreBaseline()
    await expect(client.query('select')).rejects.toThrow()
    await client.end().catch(() => undefined)
  })

  it('keep the connections of other projects open', async () => {
    const backend = async () =>
      lastCell(
        await runAsRole(opened.engine, OTHER, 'anon', [sql`select pg_backend_pid()`], {
          mode: 'readOnly',
        }),
      )
    const before = await backend()
    await write()
    await opened.engine.restoreBaseline()
    expect(await backend()).toBe(before)
  })

  it('restore a renamed project, also when another project has its former name', async () => {
    const moved = named('proj_moved')
    await opened.engine.projects.rename(SHOP, moved)
    await createTestTenant(opened.engine, SHOP)
    await runAsOwner(opened.engine, SHOP, 'drop table notes cascade')
    await opened.engine.restoreBaseline()
    expect(await count()).toBe('2')
    await runAsOwner(opened.engine, SHOP, 'alter table notes add extra integer')
    expect(await opened.engine.projects.list('proj_')).toEqual([OTHER, SHOP])
  })

  it('allow a project name while a copy still uses the roles of that name', async () => {
    const later = named('proj_later')
    await createTestTenant(opened.engine, later)
    await opened.engine.save(join(folder.path, 'with-later'))
    await opened.engine.projects.drop(later)
    await opened.engine.projects.create(named('proj_stock'))
    await opened.engine.projects.rename(named('proj_stock'), later)
    await runAsOwner(opened.engine, later, 'create table own ()')
    await opened.engine.load(join(folder.path, 'with-later'))
    expect(await count(later)).toBe('2')
    expect(lastCell(await runAsOwner(opened.engine, later, "select to_regclass('own')"))).toBe(
      undefined,
    )
  })

  it('can be read while the current state differs', async () => {
    const saved = join(folder.path, 'readable')
    await opened.engine.save(saved)
    await write()
    await opened.engine.projects.drop(OTHER)
    const state = await opened.engine.openSaved(saved)
    const reader = createRowReader(state.engine)
    for (const project of [SHOP, OTHER]) {
      const [rows] = await reader.read(project, [
        sql`select body from ${identifier(project, 'notes')}`,
      ])
      expect(rows?.rows).toHaveLength(2)
    }
    await state.close()
    expect(
      await admin(
        opened.engine,
        'cluster',
        "select count(*) from pg_database where datname ~ '^r_'",
      ),
    ).toBe('0')
  })

  it('free their copies when their folders are no longer retained', async () => {
    const saved = join(folder.path, 'passing')
    for (const project of [SHOP, OTHER]) await write(project)
    await opened.engine.save(saved)
    await opened.engine.retain([saved])
    await untilAsync(async () => (await admin(opened.engine, 'cluster', COPIES)) === '4')
    await opened.engine.retain([])
    await untilAsync(async () => (await admin(opened.engine, 'cluster', COPIES)) === '2')
    await untilAsync(async () => (await admin(opened.engine, 'cluster', PARKED)) === '0')
  })

  it('refuse the state of another data directory', async () => {
    await expect(opened.engine.load(join(folder.path, 'nothing'))).rejects.toMatchObject({
      code: '55000',
    })
    expect(existsSync(join(folder.path, 'states', 'restoring.json'))).toBe(false)
  })

  it('leave nothing on the server when everything is dropped', async () => {
    for (const project of [SHOP, OTHER]) await write(project)
    await opened.engine.save(join(folder.path, 'last'))
    await opened.engine.dropAll()
    const left = `select string_agg(name, ' ') from (
        select datname from pg_database union all select rolname from pg_roles) as names (name)
      where name ~ '^(rt_)?proj_|^tenantry_(copy|aside|role)'`
    expect(await admin(opened.engine, 'cluster', left)).toBeUndefined()
  })
})
