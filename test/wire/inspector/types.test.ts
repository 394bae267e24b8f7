// Generated types with the reference client and the compiler. Only code that matches the tables compiles.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, provisionTenant, type TestEmulator } from '../../support/test-emulator.ts'
import { typedApplication } from '../../support/typed-application.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const SQL = `
  create type mood as enum ('good', 'so so');
  create table people (
    id bigint generated always as identity primary key, name text not null, mood mood,
    moods mood[] not null default '{}', tags text[], data jsonb, born date,
    "odd name" integer, shout text generated always as (upper(name)) stored);
  create table pets (
    id uuid primary key default gen_random_uuid(), owner bigint not null references people, weight numeric not null);
  create table passports (person bigint primary key references people, number text not null);
  create domain color as integer;
  create function color_json(color) returns json language sql immutable as $$ select to_json('#' || to_hex($1)) $$;
  create cast (color as json) with function color_json(color) as implicit;
  create type size as (width numeric, color color);
  create table shades (id integer primary key, tone color, size size, number oid);
  create view happy as select id, name from people where mood = 'good';
  create function greet(who text, loud boolean default false) returns text language sql as 'select who';
  create function pets_of(person bigint) returns setof pets language sql as 'select * from pets where owner = person';
  create function now_is() returns timestamptz language sql as 'select now()';`

// Each line compiles only when the types are exactly as stated.
const PROGRAM = `
import { PostgrestClient } from '@supabase/postgrest-js'
import type { Database, Json } from './types.ts'
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <T extends true>(_: T) => {}
const db = new PostgrestClient<Database, { PostgrestVersion: '14' }, 'proj_typed'>('http://127.0.0.1', { schema: 'proj_typed' })
export async function main() {
  const { data: people } = await db.from('people').select('id, name, mood, moods, tags, "odd name"')
  type Person = NonNullable<typeof people>[number]
  holds<Same<Person['id'], number>>(true)
  holds<Same<Person['mood'], 'good' | 'so so' | null>>(true)
  holds<Same<Person['moods'], ('good' | 'so so')[]>>(true)
  holds<Same<Person['tags'], string[] | null>>(true)
  const { data: nested } = await db.from('people').select('name, pets(weight), passports(number)')
  type Nested = NonNullable<typeof nested>[number]
  holds<Same<Nested['pets'], { weight: number }[]>>(true)
  holds<Same<Nested['passports'], { number: string } | null>>(true)
  const { data: pets } = await db.from('pets').select('weight, people(name)')
  holds<Same<NonNullable<typeof pets>[number]['people'], { name: string }>>(true)
  await db.from('people').insert({ name: 'ana', mood: 'good' })
  // @ts-expect-error an identity column that is always generated
  await db.from('people').insert({ id: 1, name: 'ana' })
  // @ts-expect-error a required column is missing
  await db.from('pets').insert({ weight: 3 })
  // @ts-expect-error no such label
  await db.from('people').update({ mood: 'awful' })
  const { data: greeting } = await db.rpc('greet', { who: 'ana' })
  holds<Same<typeof greeting, string | null>>(true)
  // @ts-expect-error no such table
  await db.from('nothing').select()
  const { data: found } = await db.rpc('pets_of', { person: 1 }).select('weight')
  holds<Same<NonNullable<typeof found>[number], { weight: number }>>(true)
  await db.rpc('now_is')
  const { data: shades } = await db.from('shades').select()
  type Size = { width: number | null; color: number | null }
  holds<Same<NonNullable<typeof shades>[number], { id: number; tone: Json | null; size: Size | null; number: string | null }>>(true)
  const { data: happy } = await db.from('happy').select('name')
  holds<Same<NonNullable<typeof happy>[number]['name'], string | null>>(true)
}
`

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
  await provisionTenant(at, await createGroup(at, 'vendor', { sql: SQL }), 'typed')
})
afterAll(() => at[Symbol.asyncDispose]())

describe('GET /projects/:ref/types', () => {
  it('returns types from which the reference client infers rows, embeds and calls', async () => {
    const answer = await at.call('GET', '/_emulator/v1/projects/typed/types')
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    using application = typedApplication({ 'types.ts': answer.text, 'program.ts': PROGRAM })
    expect(await application.compile()).toBe('')
  })

  it('leaves out the platform’s own tables', async () => {
    const { text } = await at.call('GET', '/_emulator/v1/projects/typed/types')
    expect(text).not.toMatch(/auth_users/)
  })

  it('returns 404 for an unknown project', async () => {
    const answer = await at.call('GET', '/_emulator/v1/projects/nobody/types')
    expect(answer.status).toBe(404)
  })
})
