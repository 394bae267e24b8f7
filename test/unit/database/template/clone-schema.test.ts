// A clone equals its template and behaves like it (docs/wire/platform.md#clone).
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import type { Engine } from '../../../../emulator/database/engine.ts'
import { tenantScript } from '../../../../emulator/database/sql.ts'
import {
  cloneSchema,
  cloneStatements,
} from '../../../../emulator/database/template/clone-schema.ts'
import {
  loadStructure,
  type SchemaStructure,
} from '../../../../emulator/database/template/structure.ts'
import { structureDifferences } from '../../../support/structure-differences.ts'
import { lastCell, openTestEngine, runAsOwner, runAsRole } from '../../../support/test-engine.ts'

const TEMPLATE = trusted.schemaName('proj_tpl')
const CLONE = trusted.schemaName('proj_tpl_clone')
const BIG = readFileSync(new URL('./big-template.sql', import.meta.url), 'utf8')

let engine: Engine
let template: SchemaStructure

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await engine.projects.create(TEMPLATE)
  await runAsOwner(engine, TEMPLATE, BIG)
  template = await loadStructure(engine, TEMPLATE)
  await cloneSchema(engine, template, CLONE, 'full')
})

afterAll(() => engine.close())

async function answer(sqlText: string, schemaName: string = CLONE): Promise<string | undefined> {
  return lastCell(await runAsOwner(engine, schemaName, sqlText))
}

describe('a full clone', () => {
  it('has the structure of its template', async () => {
    const clone = await loadStructure(engine, CLONE)
    expect(structureDifferences(template, clone)).toEqual([])
  })

  it('has as many dependencies as its template', async () => {
    const clone = await loadStructure(engine, CLONE)
    expect(clone.dependencies.length).toBe(template.dependencies.length)
  })

  it('does not contain the name of its template', async () => {
    const clone = JSON.stringify(await loadStructure(engine, CLONE))
    expect(clone.match(/.{30}\bproj_tpl\b.{10}/g)).toBeNull()
  })

  it('counts tables and foreign keys without auth_*', async () => {
    const counts = await cloneSchema(engine, template, trusted.schemaName('proj_counted'), 'full')
    expect(counts).toEqual({ tables: 24, foreignKeys: 7 })
  })

  it('has the same structure when it is cloned again', async () => {
    const second = trusted.schemaName('proj_second')
    await cloneSchema(engine, await loadStructure(engine, CLONE), second, 'full')
    expect(structureDifferences(template, await loadStructure(engine, second))).toEqual([])
  })

  it('contains no rows', async () => {
    await runAsOwner(engine, TEMPLATE, "insert into countries (code) values ('BR')")
    expect(await answer('select count(*) from countries')).toBe('0')
  })

  it('starts identities and sequences from the beginning', async () => {
    expect(await answer(`insert into customers ("Full Name") values ('Ana') returning id`)).toBe(
      '100',
    )
  })

  it('computes generated columns and defaults that read their own table', async () => {
    expect(
      await answer(
        `insert into counters (name) values ('a'), ('b'); select string_agg(n::text, ',') from counters`,
      ),
    ).toBe('1,2')
  })

  it('runs triggers in its own schema', async () => {
    const text = `insert into customers ("Full Name", email) values ('Bea', 'b@c');
      insert into orders (customer_id, total, kind) select max(id), 5, 'x' from customers returning extra ->> 'schema'`
    const result = await runAsRole(engine, CLONE, 'service_role', tenantScript(text))
    expect(lastCell(result)).toBe(CLONE)
  })

  it('keeps foreign keys, cyclic ones included', async () => {
    await expect(answer('insert into order_lines values (999, 1, 1)')).rejects.toMatchObject({
      code: '23503',
    })
  })

  it('routes rows to partitions of partitions', async () => {
    const text =
      "insert into events (at, kind) values ('2026-05-05', 'a') returning tableoid::regclass"
    expect(await answer(text)).toBe('events_2026_a')
  })

  it('applies policies', async () => {
    const result = await runAsRole(
      engine,
      CLONE,
      'authenticated',
      tenantScript('select count(*) from customers'),
    )
    expect(lastCell(result)).toBe('0')
  })

  it('fills the materialised views that are filled in the template', async () => {
    expect(await answer('select count(*) from above_totals')).toBe('0')
  })

  it('leaves materialised views empty that are empty in the template', async () => {
    await expect(answer('select * from unfilled')).rejects.toMatchObject({ code: '55000' })
  })

  it('is owned by its own owner role', async () => {
    const text = `select string_agg(distinct pg_get_userbyid(relowner), ',') from pg_class
      where relnamespace = '${CLONE}'::regnamespace and relname not like 'auth\\_%' and relname not like '%auth%'`
    expect(await answer(text)).toBe(`${CLONE}_owner`)
  })

  it('runs no code of the tenant with the platform’s rights', () => {
    const texts = cloneStatements(template, CLONE, 'full').map(({ text }) => text)
    expect(texts.filter((text) => /\bset (local )?(role|session)/i.test(text))).toEqual([])
  })
})

describe('a clone of the structure alone', () => {
  it('has no triggers, and only the default policy for service_role', async () => {
    const bare = trusted.schemaName('proj_bare')
    await cloneSchema(engine, template, bare, 'structure')
    const clone = await loadStructure(engine, bare)
    const names = new Set(clone.policies.map(({ name }) => name))
    expect({ triggers: clone.triggers, policies: [...names] }).toEqual({
      triggers: [],
      policies: ['service_role_all'],
    })
  })

  it('differs from its template only in comments, grants, default privileges, policies and triggers', async () => {
    const differing = trusted.schemaName('proj_bare_too')
    await cloneSchema(engine, template, differing, 'structure')
    const sections = structureDifferences(template, await loadStructure(engine, differing)).map(
      (words) => words.split(' ')[0],
    )
    expect([...new Set(sections)].sort()).toEqual([
      'comments',
      'defaultPrivileges',
      'grants',
      'policies',
      'triggers',
    ])
  })
})

describe('definitions that run code', () => {
  it('cannot become superuser while they are cloned', async () => {
    const source = trusted.schemaName('proj_hostile')
    await engine.projects.create(source)
    await runAsOwner(
      engine,
      source,
      `create function who(n integer) returns integer language plpgsql immutable as $$
         begin
           begin perform set_config('role', 'postgres', true); exception when others then null; end;
           if current_user <> '${source}_owner' and current_user not like '%\\_owner' then raise 'ran as %', current_user; end if;
           return n;
         end $$;
       create table t (a integer, b integer generated always as (a + who(1)) stored, check (a > who(2)));
       create index on t ((a + who(3))) where a > who(4);
       create materialized view m as select who(5) as five`,
    )
    const target = trusted.schemaName('proj_hostile_clone')
    await cloneSchema(engine, await loadStructure(engine, source), target, 'full')
    expect(await answer('select five from m', target)).toBe('5')
  })
})

describe('erasing', () => {
  it('removes the roles of a clone', async () => {
    const gone = trusted.schemaName('proj_gone')
    await cloneSchema(engine, template, gone, 'full')
    await engine.projects.drop(gone)
    const left = await answer(`select count(*) from pg_roles where rolname like '%proj\\_gone%'`)
    expect(left).toBe('0')
  })
})
