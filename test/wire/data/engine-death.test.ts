// A statement that cannot be cancelled fails for its caller only, in memory and on disk.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_DATABASE_URL } from '../../support/engine-of-run.ts'
import {
  createGroup,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'
import { untilAsync } from '../../support/until.ts'

const STUBBORN = `
create table notes (id int primary key);
insert into notes values (1), (2);
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

let at: TestEmulator
let stubborn: TestTenant

beforeAll(async () => {
  // The deadline is long, so that even a busy machine enters the loop that ignores cancellation before the deadline.
  at = await startTestEmulator({ statementTimeoutMillis: 2_000 })
  stubborn = await provisionTenant(at, await createGroup(at, 'stubborn_tpl'), 'stubborn')
  const { project_id: projectId } = JSON.parse(
    Buffer.from(stubborn.anonKey.split('.')[1] ?? '', 'base64url').toString(),
  )
  await at.call('POST', `/platform/v1/projects/${projectId}/db/exec`, {
    credential: at.session,
    body: { sql: STUBBORN },
  })
})
afterAll(() => at.emulator.close())

const ask = (method: string, path: string, body?: string) =>
  at.call(method, path, {
    credential: stubborn.serviceRoleKey,
    headers: { apikey: stubborn.anonKey },
    ...(body === undefined ? {} : { body }),
  })

const restarts = async (): Promise<number> =>
  (await at.call('GET', '/_emulator/v1/health')).body.engine.restarts

describe('an engine that a request can stop', () => {
  it('answers the request that stopped the engine with 503, and keeps every row', async () => {
    const culprit = ask('POST', '/rpc/never_ends', '{}')
    const neighbour = ask('GET', '/notes?select=id')
    expect(await culprit).toMatchObject({ status: 503, body: { code: '57P02' } })
    expect(await neighbour).toMatchObject({ status: 200, body: [{ id: 1 }, { id: 2 }] })
    // A server ends only the statement's session.
    await untilAsync(async () => (await restarts()) === (TEST_DATABASE_URL === undefined ? 1 : 0))
  })

  it('is not reached by JSON nested a million levels deep, which is refused with 400', async () => {
    const before = await restarts()
    const deep = `[{"id":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}]`
    expect(await ask('POST', '/notes', deep)).toMatchObject({
      status: 400,
      body: { code: 'PGRST102' },
    })
    expect(await restarts()).toBe(before)
  })
})
