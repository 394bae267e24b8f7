// Which subscribers see a change, and which columns of it (docs/wire/realtime.md#changes).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChangeJudge } from '../../../emulator/services/realtime/row-changes/judge/judge-by-policies.ts'
import type {
  Identity,
  JudgedChange,
  Verdict,
} from '../../../emulator/services/realtime/row-changes/judge/verdict.ts'
import {
  type ChangeWorld,
  identity,
  type Listening,
  openChangeWorld,
} from '../../support/change-world.ts'

const ANA = '11111111-1111-1111-1111-111111111111'
const BIA = '22222222-2222-2222-2222-222222222222'
const ana = identity('authenticated', ANA, { team: 'red' })
const bia = identity('authenticated', BIA)
const anon = identity('anon', 'apikey:anon')
const service = identity('service_role', 'apikey:service_role')
const EVERYBODY = [ana, bia, anon, service]

let world: ChangeWorld
let listening: Listening
beforeAll(async () => {
  world = await openChangeWorld()
  await world.exec(`
    create table own (id integer primary key, owner uuid, body text);
    alter table own enable row level security;
    create policy "own rows" on own for select to authenticated using (owner = (select auth.uid()));
    create policy "public rows" on own for select to anon using (body = 'public');
    create policy write on own for all to service_role using (true);

    create table team (name text primary key);
    insert into team values ('red');
    create function in_team() returns boolean language sql security definer
      as $$ select exists (select from team where name = auth.jwt() ->> 'team') $$;
    create function in_team_as_caller() returns boolean language plpgsql
      as $$ begin return exists (select from team where name = auth.jwt() ->> 'team'); end $$;
    create table by_table (id integer primary key);
    alter table by_table enable row level security;
    create policy "team reads" on by_table using (exists (select from team where name = auth.jwt() ->> 'team'));
    create table by_definer (id integer primary key);
    alter table by_definer enable row level security;
    create policy "team reads" on by_definer using (in_team());
    create table by_caller (id integer primary key);
    alter table by_caller enable row level security;
    create policy "team reads" on by_caller using (in_team_as_caller());

    create table raising (id integer primary key, body text);
    alter table raising enable row level security;
    create function fussy() returns boolean language plpgsql stable
      as $$ begin if auth.uid() = '${BIA}' then raise 'not you'; end if; return true; end $$;
    create policy fussy on raising using (fussy());

    create table partly (id integer primary key, shown text, secret text);
    alter table partly enable row level security;
    create policy every on partly using (true);
    revoke all on partly from anon, authenticated;
    grant select (id, shown) on partly to authenticated;
    grant select (shown) on partly to anon;

    create table keyless (body text);
    alter table keyless enable row level security;
    create policy every on keyless using (true);
    create table open (id integer primary key);

    create type kind as enum ('a, "b"', 'c');
    create table odd (kind kind, part text, "no." numeric, primary key (kind, part));
    alter table odd enable row level security;
    create policy every on odd using (auth.role() = 'authenticated');
    create table listed (ids integer[] primary key);
    alter table listed enable row level security;
    create policy every on listed using (true);

    create table memo (id integer primary key);
    alter table memo enable row level security;
    create function memoised() returns boolean language plpgsql as $$ begin
      if coalesce(current_setting('app.user', true), '') = '' then perform set_config('app.user', auth.uid()::text, false); end if;
      return current_setting('app.user') = '${ANA}'; end $$;
    create policy memoised on memo to authenticated using (memoised());

    create table slow (id integer primary key);
    alter table slow enable row level security;
    create function dawdle() returns boolean language plpgsql as $$ begin
      if auth.uid() = '${ANA}' then perform pg_sleep(60); end if; return true; end $$;
    create policy dawdles on slow using (dawdle())`)
  listening = await world.listen()
})
afterAll(() => world.close())

const judge = async (
  text: string,
  identities: readonly Identity[] = EVERYBODY,
): Promise<readonly JudgedChange[]> => {
  await world.exec(text)
  return createChangeJudge(world.engine).judge(listening.take(), identities)
}
const kinds = (judged: readonly JudgedChange[]): readonly Verdict['kind'][][] =>
  judged.map(({ verdicts }) => verdicts.map(({ kind }) => kind))
const data = (
  judged: readonly JudgedChange[],
  role: Identity['role'],
  only?: ReadonlySet<string>,
) => judged.map((each) => JSON.parse(each.dataJson(role, only)))

describe('a change is visible', () => {
  it('to subscribers that may read the row', async () => {
    const judged = await judge(`insert into own values (1, '${ANA}', 'x')`)
    expect(kinds(judged)).toEqual([['visible', 'hidden', 'hidden', 'visible']])
  })

  it('to each identity only when that identity may read the row', async () => {
    const judged = await judge(
      `insert into own values (2, '${ANA}', 'x'), (3, '${BIA}', 'x'), (4, null, 'public')`,
    )
    expect(kinds(judged)).toEqual([
      ['visible', 'hidden', 'hidden', 'visible'],
      ['hidden', 'visible', 'hidden', 'visible'],
      ['hidden', 'hidden', 'visible', 'visible'],
    ])
  })

  it('to subscribers that may read the updated row, not to subscribers that could read only the old row', async () => {
    const judged = await judge(`update own set owner = '${BIA}' where id = 1`)
    expect(kinds(judged)).toEqual([['hidden', 'visible', 'hidden', 'visible']])
  })

  it('to no subscriber when the row was deleted meanwhile', async () => {
    const judged = await judge(
      `insert into own values (9, '${ANA}', 'x'); delete from own where id = 9`,
    )
    expect(kinds(judged)).toEqual([
      ['hidden', 'hidden', 'hidden', 'hidden'],
      ['visible', 'visible', 'visible', 'visible'],
    ])
  })

  it('to every subscriber when it is a DELETE, but only with the primary key', async () => {
    const judged = await judge(
      `alter table own replica identity full; delete from own where id = 2`,
    )
    expect(kinds(judged)).toEqual([['visible', 'visible', 'visible', 'visible']])
    expect(data(judged, 'anon')[0].old_record).toEqual({ id: 2 })
    await world.exec('alter table own replica identity default')
  })

  it('when the policy calls a security-definer function that reads another table', async () => {
    const judged = await judge('insert into by_definer values (1)')
    expect(kinds(judged)).toEqual([['visible', 'hidden', 'hidden', 'visible']])
  })

  it.each([
    [
      'an enum and a text with quotes',
      `insert into odd values ('a, "b"', E'it''s \\\\ {"x"}', 1.50)`,
      1,
    ],
    [
      'an enum and an empty or unusual text',
      `insert into odd values ('c', '', 1), ('c', 'NULL', 1), ('c', 'null', 'NaN')`,
      3,
    ],
    ['an array', `insert into listed values ('{1,2}'), ('{}')`, 2],
  ])('when the primary key is %s', async (_, text, count) => {
    const judged = await judge(text, [ana])
    expect(kinds(judged)).toEqual(Array.from({ length: count }, () => ['visible']))
  })
})

describe('a policy that reads another table', () => {
  beforeAll(() =>
    world.exec(`
      create table "Mixed" (id integer primary key, "place" text, owner uuid, tags text[], up text generated always as (upper(place)) virtual);
      alter table "Mixed" enable row level security;
      create policy own on "Mixed" for select using (owner = auth.uid());
      create policy tagged on "Mixed" for select using ('public' = any (tags));
      create policy team on "Mixed" for select using (exists (select from team where team.name = "Mixed".place));
      create table narrowed (like "Mixed" including all);
      alter table narrowed enable row level security;
      create policy every on narrowed using (true);
      create policy team on narrowed as restrictive for select using (exists (select from team))`),
  )

  it('counts as false, and other policies can still allow the row', async () => {
    const judged = await judge(
      `insert into "Mixed" (id, place, owner, tags) values (1, 'red', '${ANA}', null), (2, 'red', null, '{"public"}'), (3, 'red', null, '{}')`,
    )
    expect(kinds(judged)).toEqual([
      ['visible', 'notEvaluable', 'notEvaluable', 'visible'],
      ['visible', 'visible', 'visible', 'visible'],
      ['notEvaluable', 'notEvaluable', 'notEvaluable', 'visible'],
    ])
  })

  it('makes every change invisible when it is restrictive', async () => {
    const judged = await judge('insert into narrowed (id) values (1)')
    expect(kinds(judged)).toEqual([['notEvaluable', 'notEvaluable', 'notEvaluable', 'visible']])
  })
})

describe('a change is not visible', () => {
  it('when its policy reads another table, and the verdict names the policy', async () => {
    const [judged] = await judge('insert into by_table values (1)')
    expect(judged?.verdicts[0]).toMatchObject({ kind: 'notEvaluable', policies: ['team reads'] })
    expect(judged?.verdicts[3]?.kind).toBe('visible')
  })

  it('when its policy calls a function that reads another table as the subscriber', async () => {
    const [judged] = await judge('insert into by_caller values (1)')
    expect(judged?.verdicts.slice(0, 3).map(({ kind }) => kind)).toEqual(
      Array.from({ length: 3 }, () => 'notEvaluable'),
    )
  })

  it('to the one subscriber whose policy raises an error', async () => {
    const [judged] = await judge('insert into raising values (1)')
    expect(judged?.verdicts).toMatchObject([
      { kind: 'visible' },
      { kind: 'notEvaluable', policies: ['fussy'], reason: 'not you' },
      { kind: 'visible' },
      { kind: 'visible' },
    ])
  })

  it('when the table has no row-level security', async () => {
    expect(kinds(await judge('insert into open values (1)'))).toEqual([
      EVERYBODY.map(() => 'rlsOff'),
    ])
  })

  it('when a policy would allow it only by stored claims of an earlier identity', async () => {
    expect(kinds(await judge('insert into memo values (1)', [ana, bia, ana]))).toEqual([
      ['visible', 'hidden', 'visible'],
    ])
    expect(kinds(await judge('insert into memo values (2)', [bia, ana]))).toEqual([
      ['hidden', 'visible'],
    ])
  })

  it('to a subscriber whose policy takes too long, but other subscribers still see it', async () => {
    const [judged] = await judge('insert into slow values (1)', [ana, bia])
    expect(judged?.verdicts).toMatchObject([
      { kind: 'notEvaluable', reason: 'the policies take too long' },
      { kind: 'visible' },
    ])
  })
})

describe('the columns of a visible change', () => {
  it('are the columns that the role may select', async () => {
    const judged = await judge("insert into partly values (1, 's', 'hush')", [ana, anon])
    expect(judged[0]?.verdicts).toEqual([
      { kind: 'visible' },
      { kind: 'refused', error: 'Error 401: Unauthorized' },
    ])
    expect(data(judged, 'authenticated')[0]).toEqual({
      schema: 'proj_x',
      table: 'partly',
      commit_timestamp: '2026-11-21T12:00:00.000Z',
      type: 'INSERT',
      columns: [
        { name: 'id', type: 'int4' },
        { name: 'shown', type: 'text' },
      ],
      record: { id: 1, shown: 's' },
      errors: null,
    })
    expect(data(judged, 'anon')[0]).toEqual({
      schema: 'proj_x',
      table: 'partly',
      commit_timestamp: '2026-11-21T12:00:00.000Z',
      type: 'INSERT',
      errors: ['Error 401: Unauthorized'],
    })
  })

  it('are the requested columns and the key', async () => {
    const judged = await judge("update own set body = 'new' where id = 1", [bia])
    expect(data(judged, 'authenticated', new Set(['body']))[0]).toMatchObject({
      columns: [
        { name: 'id', type: 'int4' },
        { name: 'body', type: 'text' },
      ],
      record: { id: 1, body: 'new' },
      old_record: { id: 1 },
    })
  })

  it('are missing when the table has no primary key, because such a change is refused', async () => {
    const judged = await judge("insert into keyless values ('x')", [ana])
    expect(judged[0]?.verdicts).toEqual([
      { kind: 'refused', error: 'Error 400: Bad Request, no primary key' },
    ])
  })

  it('have only short values when the change exceeds 1 MiB', async () => {
    const judged = await judge(`insert into raising values (7, repeat('x', ${1 << 20}))`, [ana])
    expect(data(judged, 'authenticated')[0]).toMatchObject({
      record: { id: 7 },
      errors: ['Error 413: Payload Too Large'],
    })
  })

  it('include a column immediately after it was granted', async () => {
    await world.exec('grant select on partly to anon')
    const judged = await judge("insert into partly values (2, 's', 'hush')", [anon])
    expect(data(judged, 'anon')[0].record).toEqual({ id: 2, shown: 's', secret: 'hush' })
  })
})

it('policies are evaluated once for each distinct identity', async () => {
  await world.exec(
    'create sequence asked; create table counted (id integer primary key); alter table counted enable row level security',
  )
  await world.exec(
    "create function count_me() returns boolean language plpgsql as $$ begin raise notice 'asked'; return true; end $$; create policy p on counted using (count_me())",
  )
  await world.exec('insert into counted values (1)')
  const asked: number[] = []
  const counting = createChangeJudge({
    ...world.engine,
    ask: (questions) => {
      asked.push(questions.questions.length)
      return world.engine.ask(questions)
    },
  })
  const [judged] = await counting.judge(listening.take(), [ana, ana, bia, ana, anon])
  expect([asked, judged?.verdicts.length]).toEqual([[2, 1], 5])
})
