// `createClient` with generated types. Only code that matches the platform's inputs and results compiles.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AuthWorld, startAuthWorld } from '../../support/auth-world.ts'
import { type TypedApplication, typedApplication } from '../../support/typed-application.ts'

const SQL = `
  create type issue_state as enum ('open', 'closed');
  create type reach as (low integer, high integer);
  create table issues (id serial primary key, title text not null, state issue_state not null default 'open');
  create view open_titles as select distinct title from issues where state = 'open';
  create view editable as select id, title from issues;
  create function issue_totals() returns table (state issue_state, total bigint) language sql
    as 'select state, count(*) from issues group by state';
  create function ids() returns reach language sql as 'select min(id), max(id) from issues';
  create function labelled(id integer) returns text language sql as $$ select 'number' $$;
  create function labelled(title text, loud boolean default false) returns setof issues language sql
    as 'select * from issues where title = labelled.title';
`

// Each line compiles only when the types are exactly as stated.
const PROGRAM = `
import { type Client, createClient } from 'tenantry/client'
import type { Database } from './database.types.ts'
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <T extends true>(_: T) => {}
const [url = '', key = '', project = ''] = process.argv.slice(2)
const client: Client<Database['PROJECT']> = createClient<Database['PROJECT']>(url, key, { project, autoRefreshToken: false })

const added = await client.from('issues').insert([{ title: 'a', state: 'open' }, { title: 'b', state: 'closed' }]).select()
holds<Same<NonNullable<typeof added.data>[number], { id: number; title: string; state: 'open' | 'closed' }>>(true)
// @ts-expect-error no such label
const wrong = await client.from('issues').insert({ title: 'c', state: 'lost' })
// @ts-expect-error no such table
const missing = await client.from('nothing').select()

const titles = await client.from('open_titles').select()
holds<Same<NonNullable<typeof titles.data>[number], { title: string | null }>>(true)
const renamed = await client.from('editable').update({ title: 'd' }).eq('title', 'b').select('title')

const totals = await client.rpc('issue_totals').select().order('state')
holds<Same<NonNullable<typeof totals.data>[number], { state: 'open' | 'closed'; total: number }>>(true)
const ids = await client.rpc('ids')
holds<Same<NonNullable<typeof ids.data>, { low: number | null; high: number | null }>>(true)
const text = await client.rpc('labelled', { id: 1 })
holds<Same<typeof text.data, string | null>>(true)
const rows = await client.rpc('labelled', { title: 'a' })
holds<Same<NonNullable<typeof rows.data>[number]['state'], 'open' | 'closed'>>(true)
// @ts-expect-error a parameter of another type
const refused = await client.rpc('labelled', { id: 'x' })
client.close()

console.log(JSON.stringify([added, wrong, missing, titles, renamed, totals, ids, text, rows, refused].map(
  ({ data, error }) => error?.code ?? data)))
`

let world: AuthWorld
let application: TypedApplication
beforeAll(async () => {
  world = await startAuthWorld()
  await world.execute(SQL)
  const { schemaName, slug } = world.tenant
  const types = await world.at.call('GET', `/_emulator/v1/projects/${slug}/types`)
  application = typedApplication({
    'database.types.ts': types.text,
    'program.mts': PROGRAM.replaceAll('PROJECT', schemaName),
  })
})
afterAll(async () => {
  application[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

it('accepts the generated types of one project', async () => {
  expect(await application.compile()).toBe('')
})

it('returns values of the generated types', async () => {
  const { serviceRoleKey, slug } = world.tenant
  const printed = await application.run('program.mts', world.at.url, serviceRoleKey, slug)
  expect(JSON.parse(printed)).toEqual([
    [
      { id: 1, title: 'a', state: 'open' },
      { id: 2, title: 'b', state: 'closed' },
    ],
    '22P02',
    'PGRST205',
    [{ title: 'a' }],
    [{ title: 'd' }],
    [
      { state: 'open', total: 1 },
      { state: 'closed', total: 1 },
    ],
    { low: 1, high: 2 },
    'number',
    [{ id: 1, title: 'a', state: 'open' }],
    '22P02',
  ])
})
