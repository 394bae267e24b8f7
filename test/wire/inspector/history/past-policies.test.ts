// Reads of a past instant are judged by the policies, the row-level security and the grants of that instant.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlAnswer } from '../../../../emulator/contract/sql-console.ts'
import { openPastTenant, type PastTenant } from '../../../support/past-tenant.ts'

const ANA = '00000000-0000-4000-8000-00000000000a'
const OWN = 'using (owner = auth.uid())'

let past: PastTenant
beforeAll(async () => {
  past = await openPastTenant(`
    create table notes (id integer primary key, owner uuid, body text);
    create table marks (id integer primary key)`)
  await past.write(`
    insert into notes values (1, '${ANA}', 'own'), (2, null, 'of others');
    insert into marks values (1)`)
})
afterAll(() => past[Symbol.asyncDispose]())

/** Changes the structure, and returns an instant before the change and one after it. No row changes. */
async function around(sql: string): Promise<{ readonly before: string; readonly after: string }> {
  const mark = async () => {
    await past.write('update marks set id = id')
    return String(await past.lastSequence())
  }
  const before = await mark()
  await past.write(sql)
  return { before, after: await mark() }
}

async function readAs(
  role: 'anon' | 'authenticated',
  at?: string,
  sql = 'select id from notes order by id',
) {
  const claims = { sub: ANA }
  const identity = role === 'anon' ? { kind: 'anon' } : { kind: 'claims', role, claims }
  const instant = at === undefined ? {} : { at }
  const body = { sql, identity, mode: 'read_only', ...instant }
  const { body: answer } = await past.at.call<SqlAnswer>(
    'POST',
    '/_emulator/v1/projects/past/sql',
    { body },
  )
  return {
    ids: answer.results[0]?.rows.flat(),
    error: answer.error?.message,
    gaps: answer.past?.gaps,
  }
}

const shows = (...ids: readonly string[]) => ({ ids, error: undefined, gaps: [] })

const setUp = (sql: string) =>
  past.write(`
    drop policy if exists own on notes; drop policy if exists more on notes; drop policy if exists renamed on notes;
    alter table notes enable row level security; alter table notes no force row level security;
    grant all on notes to anon, authenticated; ${sql}`)

describe('a read of a past instant is judged by', () => {
  it.each([
    [
      'a policy that was changed since',
      `create policy own on notes to authenticated ${OWN}`,
      'alter policy own on notes using (true)',
    ],
    [
      'a policy that was dropped since',
      `create policy own on notes to authenticated ${OWN}`,
      'drop policy own on notes',
    ],
    [
      'a policy that was renamed since',
      `create policy own on notes to authenticated ${OWN}`,
      'alter policy own on notes rename to renamed; alter policy renamed on notes using (false)',
    ],
    [
      'no policy that was created since',
      `create policy own on notes to authenticated ${OWN}`,
      'create policy more on notes using (true)',
    ],
    [
      'row-level security that was switched off since',
      `create policy own on notes ${OWN}`,
      'alter table notes disable row level security',
    ],
    [
      'a grant that was taken away since',
      `create policy own on notes ${OWN}`,
      'revoke all on notes from authenticated',
    ],
    [
      'a restrictive policy that was dropped since',
      `create policy more on notes using (true); create policy own on notes as restrictive ${OWN}`,
      'drop policy own on notes',
    ],
  ])('%s', async (_, before, change) => {
    await setUp(before)
    const instants = await around(change)
    expect(await readAs('authenticated', instants.before)).toEqual(shows('1'))
    expect((await readAs('authenticated', instants.after)).ids).toEqual(
      (await readAs('authenticated')).ids,
    )
    expect((await readAs('authenticated')).ids).not.toEqual(['1'])
  })

  it('row-level security that was off then', async () => {
    await setUp('alter table notes disable row level security')
    const { before } = await around('alter table notes enable row level security')
    expect(await readAs('anon', before)).toEqual(shows('1', '2'))
    expect((await readAs('anon')).ids).toEqual([])
  })

  it('grants on single columns, and refuses what was refused then', async () => {
    await setUp(
      'alter table notes disable row level security; revoke all on notes from anon; grant select (id) on notes to anon',
    )
    const { before } = await around('grant select on notes to anon')
    expect(await readAs('anon', before)).toEqual(shows('1', '2'))
    expect(await readAs('anon', before, 'select body from notes')).toMatchObject({
      error: expect.stringMatching(/permission denied/),
    })
    expect((await readAs('anon', undefined, 'select body from notes')).ids).toEqual([
      'own',
      'of others',
    ])
  })

  it('the policies of that time together with the rows of that time', async () => {
    await setUp(`create policy own on notes to authenticated ${OWN}`)
    const { before } = await around(
      `alter policy own on notes using (body = 'changed'); update notes set body = 'changed'`,
    )
    expect(await readAs('authenticated', before, 'select id, body from notes')).toEqual(
      shows('1', 'own'),
    )
    await past.write(`update notes set body = 'own' where id = 1`)
  })

  it('the policies at a time at which no row changed', async () => {
    await setUp(`create policy own on notes to authenticated ${OWN}`)
    const instant = await past.request('GET', '/notes')
    await past.write('alter policy own on notes using (true)')
    expect(await readAs('authenticated', instant)).toEqual(shows('1'))
  })

  it('the policies of that time in a GET with x-tenantry-at', async () => {
    await setUp('create policy own on notes using (id = 2)')
    const { before } = await around('alter policy own on notes using (id = 1)')
    const { anonKey } = past.tenant
    const headers = { apikey: anonKey, 'x-tenantry-at': before }
    const answer = await past.at.call('GET', '/notes?select=id', { credential: anonKey, headers })
    expect([answer.status, answer.body]).toEqual([200, [{ id: 2 }]])
  })
})

describe('policies of a past instant that cannot be applied', () => {
  it('are named by the answer, which is judged by the present ones', async () => {
    await setUp(
      'alter table notes add hidden boolean default false; create policy own on notes using (not hidden)',
    )
    const { before } = await around(
      'drop policy own on notes; alter table notes drop hidden; create policy own on notes using (id = 2)',
    )
    const { gaps, ids } = await readAs('anon', before)
    expect(ids).toEqual(['2'])
    expect(gaps).toContainEqual(
      expect.stringMatching(
        /^The policies of notes at that time cannot be applied: column "hidden" does not exist\. The present ones are applied\.$/,
      ),
    )
  })

  it('refuse a GET with x-tenantry-at', async () => {
    await setUp(
      'alter table notes add hidden boolean default false; create policy own on notes using (not hidden)',
    )
    const { before } = await around('drop policy own on notes; alter table notes drop hidden')
    const { anonKey } = past.tenant
    const headers = { apikey: anonKey, 'x-tenantry-at': before }
    const answer = await past.at.call('GET', '/notes?select=id', { credential: anonKey, headers })
    expect([answer.status, answer.body]).toMatchObject([
      400,
      {
        code: 'past_not_readable',
        message: expect.stringMatching(/policies of notes at that time/),
      },
    ])
  })
})

it('the history of rows does not list changes of policies', async () => {
  await setUp(`create policy own on notes ${OWN}`)
  await past.write('alter policy own on notes using (true)')
  const { changes } = await past.history('limit=1000')
  expect(new Set(changes.map(({ kind }) => kind))).toEqual(new Set(['INSERT', 'UPDATE']))
})
