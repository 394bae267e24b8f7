// A question (`Engine.ask`) can read only one relation, whatever the tenant's code does (docs/wire/realtime.md#changes).

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../emulator/core/names.ts'
import type { Actor } from '../../emulator/core/principal.ts'
import { type Answer, cellText, type Engine, SqlError } from '../../emulator/database/engine.ts'
import { type Sql, sql, verbatim } from '../../emulator/database/sql.ts'
import { onlyEmbedded } from '../support/engine-of-run.ts'
import {
  admin,
  createTestTenant,
  lastCell,
  OUT_OF_REACH,
  openTestEngine,
  runAsOwner,
  runAsRole,
} from '../support/test-engine.ts'

const SCHEMA = trusted.schemaName('proj_x')
let engine: Engine
let notes = 0
beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await createTestTenant(engine, 'proj_x')
  await createTestTenant(engine, 'proj_y')
  await runAsOwner(
    engine,
    'proj_x',
    `
    create table other (id integer primary key, secret text);
    insert into other values (1, 'secret');
    create view other_view as select * from other;
    create view other_invoker with (security_invoker) as select * from other;
    create view joined as select notes.id, secret from notes, other;
    create materialized view other_kept as select * from other;
    create function inlined() returns text language sql stable as $$ select secret from other $$;
    create function called() returns text language plpgsql as $$ begin return (select secret from other); end $$;
    create function dynamic() returns text language plpgsql as $$ declare found text; begin execute 'select secret from other' into found; return found; end $$;
    create function caught() returns text language plpgsql as $$ begin return (select secret from other); exception when insufficient_privilege then return 'refused'; end $$;
    create function by_cursor() returns text language plpgsql as $$ declare c cursor for select secret from other; found text; begin open c; fetch c into found; return found; end $$;
    create function defined() returns text language sql security definer as $$ select secret from other $$;
    create function definer_then_invoker() returns text language plpgsql security definer as $$ begin return called(); end $$;
    create function invoker_then_definer() returns text language plpgsql as $$ begin return defined(); end $$;
    create type pair as (a integer); create function as_pair(other) returns pair language sql as $$ select row(1)::pair $$;
    create sequence counter;
    create function writes() returns text language plpgsql as $$ begin insert into notes (owner) values ('z'); return 'written'; end $$;
    create function aggregates(text, integer) returns text language plpgsql as $$ begin return (select secret from other); end $$;
    create aggregate gather(integer) (sfunc = aggregates, stype = text);
    grant all on other, other_view, other_invoker, joined, other_kept to public`,
  )
  notes = Number(await admin(engine, 'proj_x', "select 'proj_x.notes'::regclass::oid"))
})
afterAll(() => engine.close())

const ask = (
  statement: Sql,
  role: Actor['role'] = 'authenticated',
  times = 1,
): Promise<readonly Answer[]> =>
  engine.ask({
    actor: { schemaName: SCHEMA, role },
    settings: { search_path: 'proj_x, extensions' },
    statement,
    questions: Array.from({ length: times }, (_, index) => ({
      settings: { 'app.me': `${index}` },
      params: [],
    })),
    onlyRelation: notes,
    timeoutMillis: 2_000,
  })
const cellOf = (answer: Answer | undefined): string | undefined =>
  answer === undefined || answer instanceof SqlError ? answer?.code : cellText(answer[0]?.[0])

describe('a query of engine.ask', () => {
  it('reads the relation that it is limited to', async () => {
    const [answer] = await ask(sql`select count(*) from notes`)
    expect(cellOf(answer)).toBe('2')
  })

  // Answers of different sizes, because Node.js copies small buffers, shares memory between medium ones, and gives large ones
  // memory of their own.
  it.each([1_000, 15_000, 20_000, 30_000, 40_000, 100_000])(
    'returns a result of %d bytes',
    async (size) => {
      const [answer] = await ask(verbatim(`select repeat('x', ${size})`))
      expect(cellOf(answer)).toHaveLength(size)
      expect(engine.stats().restarts).toBe(0)
    },
  )

  it('cannot read another project', async () => {
    const [answer] = await ask(sql`select * from proj_y.notes`)
    expect(cellOf(answer)).toMatch(OUT_OF_REACH)
  })

  it.each(['defined', 'definer_then_invoker', 'invoker_then_definer'])(
    'reads another relation with the rights of a function’s owner: %s()',
    async (name) => {
      const [answer] = await ask(verbatim(`select ${name}()`))
      expect(cellOf(answer)).toBe('secret')
    },
  )

  it.each([
    'select writes()',
    "insert into notes (owner) values ('z')",
    'insert into other values (2)',
  ])('cannot write: %s', async (text) => {
    const [answer] = await ask(verbatim(text))
    expect(cellOf(answer)).toBe('25006')
  })
})

describe('a query that is limited to one relation', () => {
  it.each([
    'select secret from other',
    'select secret from other_view',
    'select secret from other_invoker',
    'select secret from joined',
    'select secret from other_kept',
    'select notes.id from notes where exists (select from other)',
    'select notes.id from notes where id in (select id from other)',
    'with o as (select * from other) select secret from o',
    'select (select secret from other limit 1) from notes',
    'select count(*) from notes, lateral (select from other) as o',
    'select inlined()',
    'select called()',
    'select dynamic()',
    'select by_cursor()',
    'select gather(id) from notes',
    'table other',
    'select id from notes union all select id from other',
    'select * from platform.canary',
  ])('cannot read another relation: %s', async (text) => {
    const [answer] = await ask(verbatim(text))
    expect(cellOf(answer)).toMatch(OUT_OF_REACH)
  })

  it('cannot read another relation as a role that bypasses row-level security', async () => {
    const [answer] = await ask(sql`select secret from other`, 'service_role')
    expect(cellOf(answer)).toBe('42501')
  })

  it('cannot read another relation with a statement that was prepared before', async () => {
    const text = verbatim('select secret from other where true')
    for (let time = 0; time < 3; time++) await runAsRole(engine, 'proj_x', 'authenticated', [text])
    const answers = await ask(text, 'authenticated', 3)
    expect(answers.map(cellOf)).toEqual(['42501', '42501', '42501'])
  })

  it('does not limit later requests', async () => {
    await ask(sql`select called()`)
    const result = await runAsRole(engine, 'proj_x', 'authenticated', [
      sql`select secret from other`,
    ])
    expect(lastCell(result)).toBe('secret')
  })
})

onlyEmbedded('A server recognises what questions read before they run.').describe(
  'a query that is limited to one relation, while it runs,',
  () => {
    it.each([
      "select query_to_xml('select * from proj_x.other', true, true, '')",
      "select table_to_xml('proj_x.other', true, true, '')",
    ])('cannot read another relation: %s', async (text) => {
      const [answer] = await ask(verbatim(text))
      expect(cellOf(answer)).toBe('42501')
    })

    it('is refused inside a function that catches the error', async () => {
      const [answer] = await ask(sql`select caught()`)
      expect(cellOf(answer)).toBe('refused')
    })
  },
)

describe('several queries of engine.ask', () => {
  it('have their own settings', async () => {
    const answers = await ask(sql`select current_setting('app.me')`, 'authenticated', 4)
    expect(answers.map(cellOf)).toEqual(['0', '1', '2', '3'])
  })

  it.each([
    [
      "coalesce(nullif(current_setting('app.kept', true), ''), set_config('app.kept', current_setting('app.me'), true))",
    ],
    [
      "coalesce(nullif(current_setting('app.kept', true), ''), set_config('app.kept', current_setting('app.me'), false))",
    ],
  ])('do not see a setting that another query changed: %s', async (expression) => {
    const answers = await ask(verbatim(`select ${expression}`), 'authenticated', 3)
    expect(answers.map(cellOf)).toEqual(['0', '1', '2'])
  })

  it('continue after one query fails', async () => {
    const answers = await ask(
      sql`select 10 / current_setting('app.me')::integer`,
      'authenticated',
      3,
    )
    expect(answers.map(cellOf)).toEqual(['22012', '10', '5'])
  })

  it('end at the time limit', async () => {
    const slow = sql`select pg_sleep(case current_setting('app.me') when '1' then 60 else 0 end)`
    const answers = await ask(slow, 'authenticated', 4)
    expect(answers.map(cellOf)).toEqual(['', '57014'])
  })

  it('are all refused for a role of another project', async () => {
    await expect(ask(sql`select 1`, 'proj_y_owner' as Actor['role'])).rejects.toThrow(SqlError)
  })
})
