// Transactions that meet on a server. PostgREST sends Postgres's error with status 500 for class 40 (docs/wire/errors.md).
import { beforeAll, expect } from 'vitest'
import { type DataWorld, startDataWorld } from '../../support/data-world.ts'
import { onlyServer } from '../../support/engine-of-run.ts'
import { untilAsync } from '../../support/until.ts'

// Sequences are visible before the commit, so that transactions can wait for each other with them.
const SQL = `
  create table accounts (id int primary key, amount int not null);
  insert into accounts values (1, 100), (2, 100), (3, 100);
  create sequence arrived;
  create sequence has_read;
  create sequence may_write;
  create function raise_both(first int, second int) returns void language plpgsql as $$
  begin
    update accounts set amount = amount + 1 where id = first;
    perform nextval('arrived');
    for attempt in 1 .. 1000 loop
      exit when (select last_value from arrived) >= 2;
      perform pg_sleep(0.005);
    end loop;
    update accounts set amount = amount + 1 where id = second;
  end $$;
  create function double_slowly(account int) returns void language plpgsql
    set default_transaction_isolation = 'repeatable read' as $$
  declare
    before int := (select amount from accounts where id = account);
  begin
    perform nextval('has_read');
    for attempt in 1 .. 1000 loop
      exit when (select is_called from may_write);
      perform pg_sleep(0.005);
    end loop;
    update accounts set amount = 2 * before where id = account;
  end $$;
  create function has_begun() returns boolean language sql as 'select is_called from has_read';
  create function let_it_write() returns bigint language sql as $$ select nextval('may_write') $$;`

const { describe, it } = onlyServer('The embedded engine runs one transaction at a time.')

describe('two requests at once', () => {
  let world: DataWorld
  beforeAll(async () => {
    world = await startDataWorld(SQL)
  })
  const call = (name: string, body: object = {}) => world.ask('POST', `/rpc/${name}`, { body })
  const amounts = async () => (await world.ask('GET', '/accounts?select=amount&order=id')).body

  it('end a deadlock: one is committed, the other gets 500 and Postgres’s error', async () => {
    const answers = await Promise.all([
      call('raise_both', { first: 1, second: 2 }),
      call('raise_both', { first: 2, second: 1 }),
    ])
    const [winner, loser] = answers.toSorted((one, other) => one.status - other.status)
    expect(winner?.status).toBe(204)
    expect([loser?.status, loser?.body]).toEqual([
      500,
      {
        code: '40P01',
        message: 'deadlock detected',
        details: expect.stringMatching(/^Process \d+ waits for ShareLock on transaction \d+; /),
        hint: 'See server log for query details.',
      },
    ])
    expect(await amounts()).toEqual([{ amount: 101 }, { amount: 101 }, { amount: 100 }])
  })

  it('answer 500 to a repeatable read whose row another request changed meanwhile', async () => {
    const doubling = call('double_slowly', { account: 3 })
    await untilAsync(async () => (await call('has_begun')).body === true)
    const change = await world.ask('PATCH', '/accounts?id=eq.3', { body: { amount: 7 } })
    await call('let_it_write')
    const { status, body } = await doubling
    expect([change.status, status, body]).toEqual([
      204,
      500,
      {
        code: '40001',
        message: 'could not serialize access due to concurrent update',
        details: null,
        hint: null,
      },
    ])
    expect((await amounts()).at(-1)).toEqual({ amount: 7 })
  })
})
