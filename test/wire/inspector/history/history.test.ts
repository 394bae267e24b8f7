// The history of committed row changes, over GET /_emulator/v1/projects/:ref/history.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RowHistory } from '../../../../emulator/contract/history.ts'
import {
  createGroup,
  executeSql,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
  userToken,
} from '../../../support/test-emulator.ts'

const USER = '00000000-0000-4000-8000-00000000000a'
const SQL = `create table parents (id integer primary key, name text);
  create table children (id integer primary key, parent integer references parents on delete cascade, note text);
  create table loose (word text)`

let at: TestEmulator
let tenant: TestTenant
beforeAll(async () => {
  at = await startTestEmulator({ history: true })
  tenant = await provisionTenant(at, await createGroup(at, 'vendor', { sql: SQL }), 'past')
})
afterAll(() => at[Symbol.asyncDispose]())

const history = async (query: string): Promise<RowHistory> =>
  (await at.call<RowHistory>('GET', `/_emulator/v1/projects/past/history?${query}`)).body
const run = async (sql: string): Promise<void> => {
  const answer = await executeSql(at, tenant, sql)
  if (answer.status !== 200 || answer.body.error !== undefined) throw new Error(answer.text)
}
const request = (method: string, path: string, token: string, body?: object) =>
  at.call(method, path, {
    credential: token,
    headers: { apikey: tenant.anonKey, 'accept-profile': tenant.schemaName },
    ...(body === undefined ? {} : { body }),
  })

describe('the history of a row', () => {
  it('has each change with its request, identity and changed columns', async () => {
    await run('alter table parents add column extra text; alter table parents add policy x').catch(
      () => undefined,
    )
    await run(
      `create policy everybody on parents to authenticated using (true) with check (true)`,
    ).catch(() => undefined)
    const token = await userToken(at, 'past', USER)
    const made = await request('POST', '/parents', token, { id: 1, name: 'one' })
    expect(made.status).toBe(201)
    const changed = await request('PATCH', '/parents?id=eq.1', token, { name: 'two' })
    const { changes } = await history('table=parents&key=1')
    expect(
      changes.map(({ kind, key, columns, user_id, role }) => ({
        kind,
        key,
        columns,
        user_id,
        role,
      })),
    ).toEqual([
      {
        kind: 'UPDATE',
        key: { id: '1' },
        columns: { name: ['one', 'two'] },
        user_id: USER,
        role: 'authenticated',
      },
      {
        kind: 'INSERT',
        key: { id: '1' },
        columns: { id: [null, '1'], name: [null, 'one'] },
        user_id: USER,
        role: 'authenticated',
      },
    ])
    expect(changes.map(({ request_id }) => request_id)).toEqual(
      [changed, made].map(({ headers }) => headers.get('x-request-id')),
    )
  })
})
