// Whole projects: created, renamed, dropped and listed (database/engine-projects.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../emulator/core/names.ts'
import type { Engine, SqlError } from '../../emulator/database/engine.ts'
import { readTogether } from '../../emulator/database/read-together.ts'
import { join, literal, sql } from '../../emulator/database/sql.ts'
import {
  admin,
  createTestTenant,
  lastCell,
  openTestEngine,
  runAsOwner,
  runAsRole,
} from '../support/test-engine.ts'

/** The errors of work in a project that does not exist. The embedded engine reports a missing table. */
const GONE = /^(3D000|42P01)$/

const named = trusted.schemaName
let engine: Engine
beforeAll(async () => {
  engine = (await openTestEngine()).engine
})
afterAll(() => engine.close())

const bodies = (schemaName: string) =>
  runAsRole(engine, schemaName, 'service_role', [sql`select body from notes where id = 1`])

describe('a project', () => {
  it('is created with its own schema, roles and auth tables, and a repeated call has no effect', async () => {
    await engine.projects.create(named('proj_made'))
    await runAsOwner(engine, 'proj_made', 'create table kept (id integer)')
    await engine.projects.create(named('proj_made'))
    const kept = await runAsOwner(engine, 'proj_made', "select to_regclass('kept')::text")
    expect(lastCell(kept)).toBe('kept')
    const users = await runAsRole(engine, 'proj_made', 'auth_admin', [
      sql`select count(*) from auth_users`,
    ])
    expect(lastCell(users)).toBe('0')
  })

  it('is created together with statements of the platform, or not at all', async () => {
    const creation = engine.projects.create(named('proj_half'), [sql`select 1/0`])
    await expect(creation).rejects.toMatchObject({ code: '22012' })
    expect(await engine.projects.list('proj_half')).toEqual([])
    await engine.projects.create(named('proj_half'), [sql`comment on schema proj_half is 'whole'`])
    const comment = "select obj_description('proj_half'::regnamespace)"
    expect(await admin(engine, 'proj_half', comment)).toBe('whole')
  })

  it('keeps its rows after a rename, and frees its former name', async () => {
    await createTestTenant(engine, 'proj_before')
    await engine.projects.rename(named('proj_before'), named('proj_after'))
    expect(lastCell(await bodies('proj_after'))).toBe('secret of proj_before')
    await runAsOwner(engine, 'proj_after', 'alter table notes add column extra integer')
    await createTestTenant(engine, 'proj_before')
    expect(lastCell(await bodies('proj_before'))).toBe('secret of proj_before')
    expect(lastCell(await runAsOwner(engine, 'proj_before', 'select current_user'))).toBe(
      'proj_before_owner',
    )
  })

  it('serves requests under the new name directly after the rename', async () => {
    await createTestTenant(engine, 'proj_busy')
    const renaming = engine.projects.rename(named('proj_busy'), named('proj_moved'))
    await renaming
    const results = await Promise.all(Array.from({ length: 5 }, () => bodies('proj_moved')))
    expect(results.map(lastCell)).toEqual(Array.from({ length: 5 }, () => 'secret of proj_busy'))
  })

  it('is dropped with everything in it, and a repeated call has no effect', async () => {
    await createTestTenant(engine, 'proj_gone')
    await engine.projects.drop(named('proj_gone'))
    await engine.projects.drop(named('proj_gone'))
    expect(await engine.projects.list('proj_gone')).toEqual([])
    await expect(bodies('proj_gone')).rejects.toMatchObject({
      code: expect.stringMatching(GONE),
    })
    await createTestTenant(engine, 'proj_gone')
    expect(lastCell(await bodies('proj_gone'))).toBe('secret of proj_gone')
  })

  it('refuses requests that arrive while it is dropped', async () => {
    const codes = await Promise.all(
      Array.from({ length: 12 }, () =>
        bodies('proj_absent').catch((error: SqlError) => error.code),
      ),
    )
    expect(new Set(codes).size).toBe(1)
    expect(codes[0]).toMatch(GONE)
  }, 5_000)

  it('is found by the first letters of its name, in alphabetical order', async () => {
    for (const name of ['proj_list_b', 'proj_list_a', 'proj_other'])
      await engine.projects.create(named(name))
    expect(await engine.projects.list('proj_list')).toEqual(['proj_list_a', 'proj_list_b'])
    expect(await engine.projects.list('proj_none')).toEqual([])
  })

  it('can be read together with other projects, and an absent project has no rows', async () => {
    for (const name of ['proj_one', 'proj_two']) await createTestTenant(engine, name)
    const names = ['proj_one', 'proj_two', 'proj_absent'].map(named)
    expect(engine.projects.together(names).flat().toSorted()).toEqual(names.toSorted())
    const rows = await readTogether(engine, names, (group) => [
      sql`select relnamespace::regnamespace::text as schema from pg_class
          where relname = 'notes' and relnamespace::regnamespace::text in (${join(group.map(literal), ', ')})`,
    ])
    expect(rows.map(({ schema }) => schema).toSorted()).toEqual(['proj_one', 'proj_two'])
  })
})

describe('platform work', () => {
  it('runs with the platform’s rights, and rolls back a failed script', async () => {
    await engine.projects.create(named('proj_scripts'))
    const work = admin(engine, 'proj_scripts', 'create schema twice; create schema twice')
    await expect(work).rejects.toMatchObject({ code: '42P06' })
    const count = "select count(*) from pg_namespace where nspname = 'twice'"
    expect(await admin(engine, 'proj_scripts', count)).toBe('0')
  })
})

describe('stats', () => {
  it('reports the queue, the number of jobs, restarts and missing capabilities', async () => {
    const { submitted } = engine.stats()
    await admin(engine, 'cluster', 'select 1')
    const { heapBytes: _, ...stats } = engine.stats()
    expect(stats).toMatchObject({ queued: 0, isIdle: true, restarts: 0 })
    expect(stats.degraded).toBeInstanceOf(Array)
    expect(stats.submitted - submitted).toBe(1)
  })
})
