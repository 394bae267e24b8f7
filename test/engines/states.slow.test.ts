// States of a whole engine: the baseline, and states in folders (database/engine-states.ts).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { trusted } from '../../emulator/core/names.ts'
import type { Engine } from '../../emulator/database/engine.ts'
import type { EngineStates } from '../../emulator/database/engine-states.ts'
import { createTestTenant, lastCell, openTestEngine, runAsOwner } from '../support/test-engine.ts'

const PROJECT = trusted.schemaName('proj_a')
const folder = mkdtempSync(join(tmpdir(), 'engine-states-'))
let engine: Engine & EngineStates

async function tell(sql: string): Promise<string | undefined> {
  return lastCell(await runAsOwner(engine, PROJECT, sql))
}

const BODIES = "select string_agg(body, ',' order by id) from notes"
const COLUMNS = `select string_agg(attname, ',' order by attnum) from pg_attribute
  where attrelid = 'notes'::regclass and attnum > 0`

beforeAll(async () => {
  engine = (await openTestEngine({ folder })).engine
  await createTestTenant(engine, PROJECT)
  await engine.setBaseline()
})

afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a restore of the baseline', () => {
  beforeEach(async () => {
    await engine.restoreBaseline()
  })

  it('restores rows and sequences', async () => {
    const before = await tell(BODIES)
    await tell("insert into notes (body) values ('new'); delete from notes where id = 1")
    expect(await engine.restoreBaseline()).toBe('running')
    expect(await tell(BODIES)).toBe(before)
    expect(await tell('insert into notes (body) values (null) returning id')).toBe('3')
  })

  it('restores altered and dropped objects, and drops new objects', async () => {
    await tell('alter table notes add extra integer; drop view all_notes; create table more ()')
    await engine.restoreBaseline()
    expect(await tell(COLUMNS)).toBe('id,owner,body')
    expect(await tell('select count(*) from all_notes')).toBe('2')
    expect(await tell("select to_regclass('more')")).toBeUndefined()
  })

  it('drops schemas and roles that were created after the baseline, and frees their names', async () => {
    await createTestTenant(engine, 'proj_b')
    await engine.restoreBaseline()
    await createTestTenant(engine, 'proj_b')
    expect(lastCell(await runAsOwner(engine, 'proj_b', 'select count(*) from notes'))).toBe('2')
  })

  it('restores a dropped tenant', async () => {
    await engine.projects.drop(PROJECT)
    await engine.restoreBaseline()
    expect(await tell('select count(*) from notes')).toBe('2')
  })

  it('restores a table that was truncated and rewritten', async () => {
    const before = await tell(BODIES)
    await tell(
      "truncate notes; insert into notes (body) select repeat('x', 5000) from generate_series(1, 500)",
    )
    await tell('drop view all_notes; alter table notes alter id type bigint')
    await engine.restoreBaseline()
    expect(await tell(BODIES)).toBe(before)
  })

  it('allows temporary tables before and after the restore', async () => {
    await tell('create temporary table mine (id integer)')
    await engine.restoreBaseline()
    expect(await tell('create temporary table mine (id integer); select count(*) from mine')).toBe(
      '0',
    )
  })

  it('discards the plans of functions that read changed objects', async () => {
    expect(await tell('select body_of(1)')).toBe('secret of proj_a')
    await tell(
      "create or replace function body_of(integer) returns text language sql as 'select 1::text'",
    )
    await engine.restoreBaseline()
    expect(await tell('select body_of(1)')).toBe('secret of proj_a')
  })
})

describe('a saved state', () => {
  it('can be loaded repeatedly, whatever changed after the save', async () => {
    const image = join(folder, 'image')
    await tell("insert into notes (body) values ('saved')")
    const saved = await tell(BODIES)
    await engine.save(image)
    for (let round = 0; round < 3; round += 1) {
      await tell('alter table notes rename to others; create table notes (id int, body text)')
      await engine.load(image)
      expect(await tell(BODIES)).toBe(saved)
    }
  })

  it('does not change the baseline when it is saved or loaded', async () => {
    await engine.restoreBaseline()
    const before = await tell(BODIES)
    const image = join(folder, 'elsewhere')
    await tell("insert into notes (body) values ('saved')")
    await engine.save(image)
    await engine.restoreBaseline()
    await engine.load(image)
    await engine.restoreBaseline()
    expect(await tell(BODIES)).toBe(before)
  })

  it('survives a restart of the engine', async () => {
    const image = join(folder, 'before-restart')
    await engine.save(image)
    const saved = await tell(BODIES)
    await tell("insert into notes (body) values ('later')")
    await engine.load(image)
    await tell("insert into notes (body) values ('after the load')")
    const present = await tell(BODIES)
    await engine.close()
    engine = (await openTestEngine({ folder })).engine
    expect(await tell(BODIES)).toBe(present)
    await engine.load(image)
    expect(await tell(BODIES)).toBe(saved)
  })
})
