// A restart of the engine while sessions wait for advisory locks ends the sessions, their locks and all waits.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PostgresWorld, startPostgresWorld } from '../../support/postgres-world.ts'

const SQL = `
  create table notes (id int primary key);
  create function wait_lock(k bigint) returns text language plpgsql as $$
    begin perform pg_advisory_xact_lock(k); return 'locked'; end $$;
  create function never_ends() returns void language plpgsql as $$
  begin
    -- Two blocks catch the cancel: one of them is entered at any moment.
    loop
      begin
        loop
          begin loop null; end loop; exception when query_canceled then null; end;
        end loop;
      exception when query_canceled then null;
      end;
    end loop;
  end $$;`

let world: PostgresWorld
beforeAll(async () => {
  world = await startPostgresWorld(SQL)
})
afterAll(() => world[Symbol.asyncDispose]())

const rpc = (name: string, body: object) =>
  world.at.call('POST', `/rpc/${name}`, {
    credential: world.tenant.serviceRoleKey,
    headers: { apikey: world.tenant.anonKey, 'content-profile': world.tenant.schemaName },
    body,
  })

it('an engine restart fails every request that waits for a lock, and leaves no lock behind', async () => {
  const [holder, waiter, culprit] = [
    await world.client(),
    await world.client(),
    await world.client(),
  ]
  await holder.query('insert into notes values (1); select pg_advisory_lock(70)')
  await culprit.query("set statement_timeout = '200ms'")
  const failed = Promise.all([
    expect(waiter.query('select pg_advisory_lock(70)')).rejects.toMatchObject({ code: '57P02' }),
    expect(rpc('wait_lock', { k: 70 })).resolves.toMatchObject({
      status: 503,
      body: { code: '57P02' },
    }),
  ])
  // After these turns of the queue, both clients wait for their locks.
  for (let round = 0; round < 5; round++)
    expect(await world.rest('/notes?select=id')).toEqual([{ id: 1 }])
  await expect(culprit.query('select never_ends()')).rejects.toMatchObject({ code: '57P02' })
  await failed
  const next = await world.client()
  expect((await next.query('select pg_try_advisory_lock(70) as got')).rows).toEqual([{ got: true }])
  expect(await world.rest('/notes?select=id')).toEqual([{ id: 1 }])
})
