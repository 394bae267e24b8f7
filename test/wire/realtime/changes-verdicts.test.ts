// The emulator reports a verdict for every change and subscriber, with the reason why a row was not delivered
// (docs/wire/realtime.md#changes).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { USER } from '../../support/realtime-world.ts'
import { type Judged, type RowWorld, startRowWorld } from '../../support/row-world.ts'

let world: RowWorld
beforeAll(async () => {
  world = await startRowWorld(`
    create table notes (id integer primary key, owner uuid, team integer);
    create table members (team integer, member uuid);
    alter table notes enable row level security;
    create policy own on notes for select to authenticated using (owner = auth.uid());
    create table joined (id integer primary key, team integer);
    alter table joined enable row level security;
    create policy members on joined for select using (team in (select team from members where member = auth.uid()));
    create table helped (id integer primary key, team integer);
    alter table helped enable row level security;
    create function teams() returns setof integer language sql stable security definer as
      'select team from members where member = auth.uid()';
    create policy members on helped for select using (team in (select teams()));
    create table raising (id integer primary key, owner uuid);
    alter table raising enable row level security;
    create function strict_owner(uuid) returns boolean language plpgsql as
      $$ begin if auth.role() = 'anon' then raise 'no visitors'; end if; return $1 = auth.uid(); end $$;
    create policy strict on raising for select using (strict_owner(owner));
    create table fading (id integer primary key);
    alter table fading enable row level security;
    create policy everybody on fading for select using (true);
    create table closed (id integer primary key, open text);
    alter table closed enable row level security;
    create policy everybody on closed for select using (true);
    revoke select on closed from authenticated;
    insert into members values (1, '${USER}')`)
})
afterAll(() => world[Symbol.asyncDispose]())

/** Subscribes as a user and with the anon key, writes, and returns the verdicts on the changes. */
async function judged(table: string, write: string, filter?: string): Promise<readonly Judged[]> {
  const wanted = {
    event: '*',
    schema: 'public',
    table,
    ...(filter === undefined ? {} : { filter }),
  }
  const user = await world.watch(await world.userToken(USER), wanted)
  const visitor = await world.watch(await world.tokenFor(world.tenant.anonKey), wanted)
  world.verdicts(table)
  await world.exec(write)
  const found: Judged[] = []
  await expect.poll(() => found.push(...world.verdicts(table))).toBeGreaterThan(0)
  await user.client.disconnect()
  await visitor.client.disconnect()
  return found
}

function verdictsOf(found: readonly Judged[]) {
  return found.map(({ change, verdicts }) => [
    change,
    ...verdicts.map(({ role, verdict, policies }) => [role, verdict, ...policies].join(' ')),
  ])
}

describe('a verdict', () => {
  it('is delivered or hidden, and names the hiding policies', async () => {
    const found = await judged('notes', `insert into notes values (1, '${USER}', 1)`)
    expect(verdictsOf(found)).toEqual([['INSERT', 'authenticated delivered', 'anon hidden']])
    expect(found[0]?.verdicts[0]).toMatchObject({ subject: USER })
    const others = await judged('notes', `insert into notes values (2, null, 1)`)
    expect(verdictsOf(others)).toEqual([['INSERT', 'authenticated hidden own', 'anon hidden']])
  })

  it('is filtered when the subscriber’s filter excludes the row', async () => {
    const found = await judged('notes', `insert into notes values (3, '${USER}', 1)`, 'team=eq.2')
    expect(verdictsOf(found)).toEqual([['INSERT', 'authenticated filtered', 'anon filtered']])
  })

  it('reports that a policy reads another table, unless a security-definer function reads the table', async () => {
    const found = await judged('joined', 'insert into joined values (1, 1)')
    expect(verdictsOf(found)).toEqual([
      ['INSERT', 'authenticated notEvaluable members', 'anon notEvaluable members'],
    ])
    expect(found[0]?.verdicts[0]?.reason).toMatch(/reads no table but its own/)
    const helped = await judged('helped', 'insert into helped values (1, 1)')
    expect(verdictsOf(helped)).toEqual([
      ['INSERT', 'authenticated delivered', 'anon hidden members'],
    ])
  })

  it('reports that a policy raised an error, for the affected identity only', async () => {
    const found = await judged('raising', `insert into raising values (1, '${USER}')`)
    expect(verdictsOf(found)).toEqual([
      ['INSERT', 'authenticated delivered', 'anon notEvaluable strict'],
    ])
    expect(found[0]?.verdicts[1]?.reason).toMatch(/no visitors/)
  })

  it('reports that the role may not read the table', async () => {
    const found = await judged('closed', 'insert into closed values (1)')
    expect(verdictsOf(found)).toEqual([['INSERT', 'authenticated refused', 'anon delivered']])
    expect(found[0]?.verdicts[0]?.reason).toBe('Error 401: Unauthorized')
  })

  it('reports that row-level security was turned off', async () => {
    const wanted = { event: '*', schema: 'public', table: 'fading' }
    const watcher = await world.watch(await world.userToken(), wanted)
    await world.exec('alter table fading disable row level security')
    world.verdicts('fading')
    await world.exec('insert into fading values (1)')
    const found: Judged[] = []
    await expect.poll(() => found.push(...world.verdicts('fading'))).toBeGreaterThan(0)
    expect(verdictsOf(found)).toEqual([['INSERT', 'authenticated rlsOff']])
    await world.exec('alter table fading enable row level security')
    await world.exec('insert into fading values (2)')
    await watcher.count(1)
    expect(watcher.lines()).toEqual(['INSERT 2'])
  })
})
