// A pulled step builds the same structure in another project (docs/guide/pull.md).
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SchemaName } from '../../../../emulator/core/names.ts'
import type { Engine } from '../../../../emulator/database/engine.ts'
import {
  loadStructure,
  type SchemaStructure,
} from '../../../../emulator/database/template/structure.ts'
import { readStructure } from '../../../../emulator/workflow/migrations/pull/read-structure.ts'
import { renderStep } from '../../../../emulator/workflow/migrations/pull/render-step.ts'
import { anyTemplate } from '../../../support/any-template.ts'
import { type RemoteWorld, remoteWorld } from '../../../support/remote-world.ts'
import { structureDifferences } from '../../../support/structure-differences.ts'
import { openTestEngine, runAsOwner } from '../../../support/test-engine.ts'

const FILE = (name: string) => readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8')

const ONE_OF_EVERYTHING = 'test/unit/database/template/big-template.sql'
const EXPRESSIONS = 'test/unit/database/template/expressions.sql'
const OWN_NAMES: Readonly<Record<string, string>> = {
  [ONE_OF_EVERYTHING]: 'tpl',
  [EXPRESSIONS]: 'words',
}

let engine: Engine
let world: RemoteWorld
let everything: SchemaName
let count = 0
beforeAll(async () => {
  engine = (await openTestEngine()).engine
  world = remoteWorld(engine)
  everything = await projectOfFile(ONE_OF_EVERYTHING)
})
afterAll(() => engine.close())

/** Runs a script through db/exec of a new project. */
async function projectWith(sql: string): Promise<SchemaName> {
  count += 1
  const schemaName = await world.newProject(`proj_p${count}`)
  expect(await world.execIn(schemaName)(sql)).toMatchObject({ kind: 'done' })
  return schemaName
}

/**
 * Runs a file as the owner outside db/exec, because the file contains schema names. Some files need a project of a certain name.
 */
async function projectOfFile(file: string): Promise<SchemaName> {
  const schemaName = await world.newProject(`proj_${OWN_NAMES[file] ?? 'story'}`)
  await runAsOwner(engine, schemaName, FILE(file))
  return schemaName
}

async function pulledStep(schemaName: SchemaName): Promise<string> {
  return renderStep({ ...(await readStructure(world.execIn(schemaName))), title: 'Pulled.' })
}

/** Returns the differences between a project and a new project in which only the pulled step ran. */
async function differencesAfterPull(from: SchemaName): Promise<readonly string[]> {
  const copy = await projectWith(await pulledStep(from))
  return structureDifferences(await comparable(from), await comparable(copy))
}

// Makes the structures comparable. A step removes the schema's name from function bodies, because the functions also run in other
// projects.
async function comparable(schemaName: SchemaName): Promise<SchemaStructure> {
  const structure = await loadStructure(engine, schemaName)
  const { routines } = structure
  return {
    ...structure,
    routines: routines.map((routine) => ({
      ...routine,
      ...(routine.definition === undefined
        ? {}
        : { definition: routine.definition.replaceAll(`${schemaName}.`, '') }),
    })),
  }
}

describe('a structure read through db/exec', () => {
  it('equals the structure that the emulator reads itself', async () => {
    const { structure } = await readStructure(world.execIn(everything))
    expect(structure).toEqual(await loadStructure(engine, everything))
  })

  it('leaves out the ledger of the migration steps', async () => {
    const from = await projectWith(
      `create table tenantry_migrations (version text primary key, name text);
       create index by_name on tenantry_migrations (name);
       comment on table tenantry_migrations is 'steps';
       comment on column tenantry_migrations.name is 'of the step';
       create table notes (id int)`,
    )
    const { hasLedger, structure } = await readStructure(world.execIn(from))
    expect(hasLedger).toBe(true)
    expect(JSON.stringify(structure.relations.map(({ name }) => name))).toBe('["notes"]')
    const { dependencies: _dependencies, ...sections } = structure
    expect(JSON.stringify(sections)).not.toContain('tenantry_migrations')
  })
})

describe('a pulled migration step', () => {
  it.each([
    ['the clinics', 'fixtures/clinics/template.sql'],
    ['the shop', 'fixtures/shop/template.sql'],
    ['the quotas', 'fixtures/quota-edge/template.sql'],
  ])('builds the structure of %s', async (_name, file) => {
    expect(await differencesAfterPull(await projectWith(FILE(file)))).toEqual([])
  })

  it('builds the structure of a schema with one object of every kind', async () => {
    expect(await differencesAfterPull(everything)).toEqual([])
  })

  it('leaves out the comment on the schema, because the statement would name the schema', async () => {
    const from = await projectWith('create table notes (id int)')
    await world.execIn(from)(`comment on schema ${from} is 'notes of a team'`)
    expect(await differencesAfterPull(from)).toEqual(['the comment on the schema differs'])
  })

  it('builds the structure of casts, operators and text search', async () => {
    expect(await differencesAfterPull(await projectOfFile(EXPRESSIONS))).toEqual([])
  })

  it('builds the structure of random schemas', async () => {
    await fc.assert(
      fc.asyncProperty(anyTemplate(), async (text) => {
        expect(await differencesAfterPull(await projectWith(text))).toEqual([])
      }),
      { numRuns: 20 },
    )
  }, 240_000)

  it('is the same again when pulled from the project that it built', async () => {
    const first = await pulledStep(await projectWith(FILE('fixtures/clinics/template.sql')))
    expect(await pulledStep(await projectWith(first))).toBe(first)
  })

  it.each([
    ['a dropped automatic policy', 'drop policy service_role_all on notes'],
    [
      'a changed automatic policy',
      'drop policy service_role_all on notes; create policy service_role_all on notes for select to service_role using (id > 0)',
    ],
    ['revoked default grants', 'revoke all on notes from anon, authenticated, service_role'],
    [
      'changed default privileges',
      'alter default privileges revoke select on tables from anon; alter default privileges revoke execute on functions from public; create function f() returns int language sql as $$ select 1 $$',
    ],
    [
      'functions with their own search path',
      `create function own_path() returns bigint language sql security definer set search_path = '' as $$ select count(*) from %s.notes $$`,
    ],
    [
      'names that Postgres has, too',
      `create function lower(notes) returns text language sql as $$ select 'x' $$; create view lowered as select %s.lower(n) as l from notes as n`,
    ],
    [
      'a WITH clause with the name of a table',
      'create view v as with notes as (select 1 as id) select o.id from %s.notes as o join notes using (id)',
    ],
  ])('keeps %s', async (_name, sql) => {
    const from = await projectWith('create table notes (id int primary key)')
    expect(await world.execIn(from)(sql.replaceAll('%s', from))).toMatchObject({ kind: 'done' })
    expect(await differencesAfterPull(from)).toEqual([])
  })

  it('is readable SQL with a section for each kind of object', async () => {
    const from = await projectWith(
      `create type mood as enum ('good', 'bad');
       create table notes (id bigint generated always as identity primary key, body text not null default 'x', mood mood);
       create index on notes (mood);
       alter table notes enable row level security;
       create policy readers on notes for select to authenticated using (mood = 'good');
       create function total() returns bigint language sql as $$ select count(*) from notes $$;
       comment on table notes is 'What was said.'`,
    )
    expect(await pulledStep(from)).toBe(`-- Pulled.

-- Settings of this step
set local check_function_bodies = off;

-- Types
create type mood as enum ('good', 'bad');

-- Functions
CREATE OR REPLACE FUNCTION total()
 RETURNS bigint
 LANGUAGE sql
AS $function$ select count(*) from notes $function$
;

-- Tables
create table notes (
  id bigint not null generated always as identity,
  body text not null default 'x'::text,
  mood mood,
  constraint notes_pkey PRIMARY KEY (id));

-- Indexes
CREATE INDEX notes_mood_idx ON notes USING btree (mood);

-- Policies
create policy readers on notes as permissive for select to authenticated using ((mood = 'good'::mood));

-- Row-level security and settings of tables
alter table only notes enable row level security;

-- Comments
comment on table notes is 'What was said.';
`)
  })

  it('says when a project has no objects', async () => {
    expect(await pulledStep(await projectWith('select 1'))).toBe(
      '-- Pulled.\n-- The project has no objects of its own.\n',
    )
  })
})
