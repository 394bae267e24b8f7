// A server whose account is not a superuser: it has no event triggers and no rights on built-in objects.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SystemClock } from '../../../../emulator/core/clock.ts'
import { SystemIdSource } from '../../../../emulator/core/id-source.ts'
import { trusted } from '../../../../emulator/core/names.ts'
import { PostgresEngine } from '../../../../emulator/database/postgres/postgres-engine.ts'
import { describeServer } from '../../../../emulator/database/postgres/server/given-server.ts'
import type { RunningServer } from '../../../../emulator/database/postgres/server/running-server.ts'
import { createRowReader } from '../../../../emulator/database/row-reader.ts'
import { sql } from '../../../../emulator/database/sql.ts'
import {
  ask,
  noNativeServer,
  serverFolder,
  startTestServer,
} from '../../../support/native-server.ts'
import { lastCell, runAsOwner, runAsRole } from '../../../support/test-engine.ts'

const PROJECT = trusted.schemaName('proj_limited')

describe.skipIf(noNativeServer !== undefined)('an account that is not a superuser', () => {
  const folder = serverFolder()
  let server: RunningServer
  let engine: PostgresEngine

  beforeAll(async () => {
    server = await startTestServer(folder.path)
    await ask(server.address, `create role builder login createrole createdb password 'builder'`)
    const { host, port } = server.clientAddress
    const ids = new SystemIdSource()
    const given = await describeServer({
      url: `postgres://builder:builder@${host}:${port}/postgres`,
      folder: folder.path,
      ids,
    })
    engine = new PostgresEngine({
      server: given,
      wallClock: new SystemClock(),
      preciseNow: () => performance.now(),
      ids,
    })
    await engine.prepare()
    await engine.projects.create(PROJECT)
  })

  afterAll(async () => {
    await engine?.close()
    await server?.close()
    folder.remove()
  })

  it('gets a list of missing capabilities', () => {
    expect(engine.stats().degraded).toEqual([
      'bypassrls',
      'event triggers',
      'untrusted extensions',
      'rights on built-in objects',
      'closed databases',
    ])
  })

  it.each([
    ['a statement of the owner', 'create table notes (body text)', true],
    ['a block', `do $$begin alter table notes add column n integer; end$$`, true],
    ['rows alone', `insert into notes (body) values ('x')`, false],
  ])('reports schema changes, and only schema changes, after %s', async (_name, text, expected) => {
    const seen: boolean[] = []
    engine.changes.watch({
      onCommit: ({ isSchemaChanged }) => {
        seen.push(isSchemaChanged)
        return undefined
      },
      onMissed: () => {},
    })
    await runAsOwner(engine, PROJECT, text)
    expect(seen.includes(true)).toBe(expected)
  })

  it('reads rows that the policies of the project hide', async () => {
    await runAsOwner(
      engine,
      PROJECT,
      `create table hidden (cell integer); alter table hidden enable row level security; insert into hidden values (7)`,
    )
    const reader = createRowReader(engine)
    const [found] = await reader.read(PROJECT, [sql`select cell from proj_limited.hidden`])
    expect(found?.rows).toHaveLength(1)
    const asAnon = await runAsRole(engine, PROJECT, 'anon', [sql`select count(*) from hidden`])
    expect(lastCell(asAnon)).toBe('0')
  })

  it('renames and drops projects', async () => {
    const [before, after] = [trusted.schemaName('proj_before'), trusted.schemaName('proj_after')]
    await engine.projects.create(before)
    await runAsOwner(engine, before, 'create table kept as select 7 as cell')
    await engine.projects.rename(before, after)
    expect(lastCell(await runAsOwner(engine, after, 'select cell from kept'))).toBe('7')
    await engine.projects.drop(after)
    expect(await engine.projects.list('proj_')).toEqual([PROJECT])
  })
})
