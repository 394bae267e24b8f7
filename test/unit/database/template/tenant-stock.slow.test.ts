// The stock of prepared clones. A tenant from the stock equals a new clone and never has an earlier structure of its template.
// Also, no tenant sees the stock.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../../emulator/core/clock.ts'
import { SystemIdSource } from '../../../../emulator/core/id-source.ts'
import { type SchemaName, trusted } from '../../../../emulator/core/names.ts'
import { epochMillis } from '../../../../emulator/core/time.ts'
import type { Engine } from '../../../../emulator/database/engine.ts'
import type { SchemaBuilder } from '../../../../emulator/database/schema-builder.ts'
import { script, verbatim } from '../../../../emulator/database/sql.ts'
import { createSchemaBuilder } from '../../../../emulator/database/template/schema-builder.ts'
import { listPrepared } from '../../../../emulator/database/template/stock/prepared-schemas.ts'
import { watchSchemaChanges } from '../../../../emulator/database/tenant-schema/ddl-notice.ts'
import type { LifecycleListener } from '../../../../emulator/platform/projects/lifecycle.ts'
import type { Project } from '../../../../emulator/platform/projects/project.ts'
import { anyTemplate } from '../../../support/any-template.ts'
import { catalogueOf } from '../../../support/catalogue-of.ts'
import { settleStock } from '../../../support/settle-stock.ts'
import { lastCell, openTestEngine, runAsOwner } from '../../../support/test-engine.ts'

const BESIDE = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
// Removes the schema's name from an enum's label and a dictionary's option. The stock refuses templates with the name in such
// places.
const BIG = BESIDE('./big-template.sql').replace("'c\\d', 'proj_tpl'", "'c\\d', 'other'")
const EXPRESSIONS = BESIDE('./expressions.sql').replace("'proj_words.stems'", "'english_stem'")
const STORY = (name: string) => BESIDE(`../../../../fixtures/${name}/template.sql`)

let engine: Engine
let builder: SchemaBuilder
let listeners: LifecycleListener[]
const clock = new ManualClock(epochMillis(0))
const closing = new AbortController()
const failures: unknown[] = []
let names = 0

beforeAll(async () => {
  listeners = []
  const opened = await openTestEngine()
  engine = opened.engine
  watchSchemaChanges(engine, (schemaName) => tell('schemaChanged', schemaName))
  builder = createSchemaBuilder({
    engine,
    lifecycle: { listen: (listener) => listeners.push(listener as LifecycleListener) },
    fidelity: 'full',
    stock: {
      wallClock: clock,
      ids: new SystemIdSource(),
      observe: (observation) => failures.push(observation),
      closing: closing.signal,
    },
  })
})

afterAll(() => {
  closing.abort()
  expect(failures).toEqual([])
  return engine.close()
})

function tell(event: 'schemaChanged' | 'offline', schemaName: SchemaName): void {
  for (const listener of listeners) listener[event]?.({ schemaName } as Project)
}

function freshName(): SchemaName {
  names += 1
  // The last letter prevents that one name is a prefix of another name.
  return trusted.schemaName(`proj_p${names}x`)
}

async function template(text: string): Promise<SchemaName> {
  const schemaName = freshName()
  await engine.projects.create(schemaName)
  await runAsOwner(engine, schemaName, text.replaceAll(/proj_(?:tpl|words)/g, schemaName))
  return schemaName
}

async function provision(source: SchemaName): Promise<{ name: SchemaName; isPrepared: boolean }> {
  const before = await listPrepared(engine)
  const name = freshName()
  await builder.provisionFrom(source, name)
  const after = await listPrepared(engine)
  return { name, isPrepared: after.length < before.length }
}

/**
 * Provisions a tenant as a new clone, and then one from the stock. The first use of a template makes the stock prepare clones.
 */
async function bothWays(source: SchemaName) {
  const first = await provision(source)
  await settleStock(engine, clock)
  return { first, second: await provision(source) }
}

describe('a tenant from the stock', () => {
  it.each([
    ['the template of the clinics', STORY('clinics')],
    ['the template of the shop', STORY('shop')],
    ['the template of the quotas', STORY('quota-edge')],
    ['a template with one of everything', BIG],
    ['a template with casts, operators and text search', EXPRESSIONS],
  ])(
    'equals a new clone of %s',
    async (_name, text) => {
      const { first, second } = await bothWays(await template(text))
      expect([first.isPrepared, second.isPrepared]).toEqual([false, true])
      expect(await catalogueOf(engine, second.name)).toEqual(await catalogueOf(engine, first.name))
    },
    60_000,
  )

  it('equals a new clone of any template', async () => {
    await fc.assert(
      fc.asyncProperty(anyTemplate(), async (text) => {
        const { first, second } = await bothWays(await template(text))
        expect(await catalogueOf(engine, second.name)).toEqual(
          await catalogueOf(engine, first.name),
        )
      }),
      { numRuns: 4 },
    )
  }, 120_000)
})

describe('the template’s name in a text', () => {
  const names = async (schemaName: SchemaName, text: string) =>
    lastCell(await runAsOwner(engine, schemaName, text))

  it('is replaced in functions, their settings and comments', async () => {
    const source = freshName()
    await engine.projects.create(source)
    await runAsOwner(
      engine,
      source,
      `create table notes (id serial primary key, body text);
       create function place() returns text language plpgsql set search_path = ${source} as
         $$ begin return '${source}:' || current_schema(); end $$;
       create function owner_name(text default '${source}_owner') returns text language sql as $$ select $1 $$;
       comment on table notes is 'notes of ${source}'`,
    )
    const { second } = await bothWays(source)
    expect(second.isPrepared).toBe(true)
    expect(await names(second.name, 'select place()')).toBe(`${second.name}:${second.name}`)
    expect(await names(second.name, 'select owner_name()')).toBe(`${second.name}_owner`)
    const comment = "select obj_description('notes'::regclass)"
    expect(await names(second.name, comment)).toBe(`notes of ${second.name}`)
  })

  it.each([
    ['a default', (name: string) => `create table t (place text default '${name}')`],
    [
      'a policy',
      (name: string) =>
        `create table t (place text); create policy p on t using (place = '${name}')`,
    ],
    ['an enum', (name: string) => `create type place as enum ('${name}')`],
    ['a table’s name', (name: string) => `create table ${name} (id integer)`],
    [
      'a parameter’s name',
      (name: string) =>
        `create function f(${name} text) returns text language sql as $$ select '${name}' $$`,
    ],
    [
      'a view’s alias',
      (name: string) =>
        `create table t (id integer); create view v as select ${name}.id from t as ${name}`,
    ],
  ])('in %s prevents the use of a prepared clone', async (_name, text) => {
    const source = freshName()
    await engine.projects.create(source)
    await runAsOwner(engine, source, text(source))
    const { first, second } = await bothWays(source)
    expect(second.isPrepared).toBe(false)
    expect(await catalogueOf(engine, second.name)).toEqual(await catalogueOf(engine, first.name))
  })
})

describe('the stock', () => {
  it('keeps four clones after the use of three templates', async () => {
    for (const text of ['create table a ()', 'create table b ()', 'create table c ()'])
      await bothWays(await template(text))
    await settleStock(engine, clock)
    expect(await listPrepared(engine)).toHaveLength(4)
  })

  it('is hidden from tenants in every catalogue', async () => {
    const { second } = await bothWays(await template('create table hidden_table (id integer)'))
    await settleStock(engine, clock)
    expect((await listPrepared(engine)).length).toBeGreaterThan(0)
    const seen = await runAsOwner(
      engine,
      second.name,
      `select (select count(*) from pg_namespace where nspname like '%prepared%')
         + (select count(*) from pg_roles where rolname like '%prepared%')
         + (select count(*) from pg_class where relname = 'hidden_table') - 1
         + (select count(*) from information_schema.tables where table_name = 'hidden_table') - 1`,
    )
    expect(lastCell(seen)).toBe('0')
  })

  it('refuses tenants access to its schemas', async () => {
    const { second } = await bothWays(await template('create table closed (id integer)'))
    await settleStock(engine, clock)
    const [prepared] = await listPrepared(engine)
    const read = runAsOwner(engine, second.name, `select * from ${prepared}.closed`)
    await expect(read).rejects.toMatchObject({ code: '42501' })
  })

  it('provides no clone with an earlier structure of the template', async () => {
    const source = await template('create table grown (id integer)')
    await bothWays(source)
    await settleStock(engine, clock)
    await runAsOwner(engine, source, 'alter table grown add added text')
    const { isPrepared, name } = await provision(source)
    expect(isPrepared).toBe(false)
    await runAsOwner(engine, name, 'select added from grown')
  })

  it('is rebuilt after a change of the template', async () => {
    const source = await template('create table remade (id integer)')
    await bothWays(source)
    await settleStock(engine, clock)
    await runAsOwner(engine, source, 'alter table remade add added text')
    await settleStock(engine, clock)
    const { isPrepared, name } = await provision(source)
    expect(isPrepared).toBe(true)
    await runAsOwner(engine, name, 'select added from remade')
  })

  it('drops the clones of a template that went offline', async () => {
    const source = await template('create table gone (id integer)')
    await bothWays(source)
    await settleStock(engine, clock)
    const before = await listPrepared(engine)
    tell('offline', source)
    await settleStock(engine, clock)
    expect((await listPrepared(engine)).length).toBe(before.length - 2)
  })

  it('prepares no clones while other work arrives', async () => {
    await provision(await template('create table waiting (id integer)'))
    const before = await listPrepared(engine)
    for (let turn = 0; turn < 20; turn += 1) {
      await runAsOwner(engine, 'proj_p1x', 'select 1')
      clock.advance(100)
    }
    expect(await listPrepared(engine)).toEqual(before)
  })

  it('drops clones that a killed process left behind', async () => {
    await bothWays(await template('create table left_behind (id integer)'))
    await settleStock(engine, clock)
    for (const listener of listeners) listener.stateReplaced?.()
    await settleStock(engine, clock)
    expect(await listPrepared(engine)).toEqual([])
    const roles = await engine.admin(
      'cluster',
      script([verbatim("select from pg_roles where rolname like '%prepared%'")]),
    )
    expect(roles[0]?.rows).toEqual([])
  })
})
