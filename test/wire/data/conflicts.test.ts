// Transactions that conflict or deadlock. A server reports an error, which the data plane returns as PostgREST does ("Errors:
// HTTP Status Codes").
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noNativeServer } from '../../support/native-server.ts'
import {
  type Answer,
  createGroup,
  expectStatus,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'

// `meet` returns when both transactions have called it. Other transactions see a sequence's new value at once.
const SQL = `
  create table accounts (id integer primary key, balance integer not null);
  create sequence arrivals;
  create function meet() returns void language plpgsql as $$
    declare met boolean := false;
    begin
      perform nextval('arrivals');
      while not met loop
        perform pg_sleep(0.01);
        select last_value % 2 = 0 into met from arrivals;
      end loop;
    end $$;
  create function move(source integer, target integer) returns void language plpgsql as $$
    begin
      update accounts set balance = balance - 1 where id = source;
      perform meet();
      update accounts set balance = balance + 1 where id = target;
    end $$;
  create function spend() returns integer language plpgsql
    set default_transaction_isolation = 'repeatable read' as $$
    declare rest integer;
    begin
      select balance into rest from accounts where id = 1;
      perform meet();
      update accounts set balance = rest - 1 where id = 1;
      return rest;
    end $$;
  create function mark(key integer) returns void language plpgsql
    set default_transaction_isolation = 'serializable' as $$
    declare total integer;
    begin
      select sum(balance) into total from accounts;
      perform meet();
      update accounts set balance = total where id = key;
    end $$`

describe.skipIf(noNativeServer !== undefined)(`on a server (${noNativeServer ?? 'native'})`, () => {
  let at: TestEmulator
  let tenant: TestTenant
  beforeAll(async () => {
    at = await startTestEmulator({ engine: 'postgres' })
    tenant = await provisionTenant(at, await createGroup(at, 'bank', { sql: SQL }), 'branch')
    const rows = [1, 2].map((id) => ({ id, balance: 100 }))
    expectStatus(await at.call('POST', '/accounts', request(rows)), 201)
  })
  afterAll(() => at[Symbol.asyncDispose]())

  const request = (body: unknown) => ({
    credential: tenant.serviceRoleKey,
    headers: { apikey: tenant.anonKey },
    body,
  })
  const call = (name: string, body: object): Promise<Answer<Json>> =>
    at.call('POST', `/rpc/${name}`, request(body))

  /** Returns the refused answer, after checking that exactly one of the answers is a success. */
  function refusalOf(answers: readonly Answer<Json>[]): Answer<Json> | undefined {
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    return answers.find(({ status }) => status >= 300)
  }

  it('answers one of two transactions in a deadlock with 500 and 40P01, and commits the other', async () => {
    const refusal = refusalOf(
      await Promise.all([
        call('move', { source: 1, target: 2 }),
        call('move', { source: 2, target: 1 }),
      ]),
    )
    expect([refusal?.status, refusal?.body]).toEqual([
      500,
      {
        code: '40P01',
        details: expect.stringMatching(/^Process \d+ waits for ShareLock on transaction \d+; /),
        hint: 'See server log for query details.',
        message: 'deadlock detected',
      },
    ])
  })

  it('answers a write to a row that changed since the snapshot with 500 and 40001', async () => {
    const refusal = refusalOf(await Promise.all([call('spend', {}), call('spend', {})]))
    expect([refusal?.status, refusal?.body]).toEqual([
      500,
      {
        code: '40001',
        details: null,
        hint: null,
        message: 'could not serialize access due to concurrent update',
      },
    ])
  })

  it('answers a serializable transaction that depends on a concurrent one with 500 and 40001', async () => {
    const refusal = refusalOf(
      await Promise.all([call('mark', { key: 1 }), call('mark', { key: 2 })]),
    )
    expect([refusal?.status, refusal?.body]).toEqual([
      500,
      {
        code: '40001',
        details: expect.stringContaining('Reason code: '),
        hint: 'The transaction might succeed if retried.',
        message: 'could not serialize access due to read/write dependencies among transactions',
      },
    ])
  })
})
