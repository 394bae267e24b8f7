// A tenant whose row changes are recorded, with short calls to the history's operations.
import type { RowHistory, Undo } from '../../emulator/contract/history.ts'
import type { SqlAnswer } from '../../emulator/contract/sql-console.ts'
import type { EmulatorConfig } from '../../emulator/index.ts'
import {
  createGroup,
  executeSql,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from './test-emulator.ts'

export interface PastTenant extends AsyncDisposable {
  readonly at: TestEmulator
  readonly tenant: TestTenant
  /** Runs SQL as the owner. Postgres may refuse it. */
  write(sql: string): Promise<void>
  /** Sends a request to the data plane, as `service_role` without a credential. Returns the id of the request. */
  request(method: string, path: string, body?: object, credential?: string): Promise<string>
  history(query: string): Promise<RowHistory>
  lastSequence(): Promise<number>
  /** Reads as the owner, now or at an instant. @throws {Error} when the SQL is refused */
  ask(sql: string, instant?: string): Promise<SqlAnswer>
  undo(body: object): Promise<Undo>
}

/** @param sql of the template */
export async function openPastTenant(
  sql: string,
  history: EmulatorConfig['history'] = true,
): Promise<PastTenant> {
  const at = await startTestEmulator({ history })
  const tenant = await provisionTenant(at, await createGroup(at, 'vendor', { sql }), 'past')
  const project = '/_emulator/v1/projects/past'
  const changesOf = async (query: string): Promise<RowHistory> =>
    (await at.call<RowHistory>('GET', `${project}/history?${query}`)).body
  return {
    at,
    tenant,
    write: async (text) => {
      await executeSql(at, tenant, text)
    },
    request: async (method, path, body, credential = tenant.serviceRoleKey) => {
      const headers = { apikey: tenant.anonKey, prefer: 'return=minimal' }
      const sent = body === undefined ? { credential, headers } : { credential, headers, body }
      const answer = await at.call(method, path, sent)
      if (answer.status >= 300) throw new Error(answer.text)
      return answer.headers.get('x-request-id') ?? ''
    },
    history: changesOf,
    lastSequence: async () => (await changesOf('limit=1')).changes[0]?.sequence ?? 0,
    ask: async (text, instant) => {
      const past = instant === undefined ? {} : { at: instant }
      const body = { sql: text, identity: 'owner', mode: 'read_only', ...past }
      const answer = await at.call<SqlAnswer>('POST', `${project}/sql`, { body })
      if (answer.status !== 200 || answer.body.error !== null) throw new Error(answer.text)
      return answer.body
    },
    undo: async (body) => {
      const answer = await at.call<Undo>('POST', `${project}/undo`, { body })
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.body
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  }
}
