// One tenant with the test file's own schema, used through the reference client and plain requests. Test files in the same worker
// share the emulator, because its start is slow. The emulator ends with the worker's process.
import { PostgrestClient } from '@supabase/postgrest-js'
import {
  type Answer,
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestGroup,
  type TestTenant,
  userToken,
} from './test-emulator.ts'
import { endWithWorker } from './worker-emulator.ts'

type Client = PostgrestClient<Json, { PostgrestVersion: '14' }, Json>

export interface DataWorld {
  readonly at: TestEmulator
  readonly tenant: TestTenant
  /** The client with the service_role key, which row-level security does not restrict. */
  readonly server: Client
  /** Sends one plain request with the service_role key, or with `token` if given. */
  ask(method: string, path: string, options?: AskOptions): Promise<Answer<Json>>
  tokenOf(userId: string): Promise<string>
}

export interface AskOptions {
  readonly token?: string
  /** Sent as JSON when it is not a string. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Provisions a tenant and runs `sql` in it. */
export async function startDataWorld(sql: string): Promise<DataWorld> {
  shared ??= startVendor()
  const { at, group } = await shared
  const tenant = await provisionTenant(at, group, `shop${++tenants}`)
  await execute(at, tenant, sql)
  return {
    at,
    tenant,
    server: new PostgrestClient<Json, { PostgrestVersion: '14' }, Json>(at.url, {
      headers: { apikey: tenant.anonKey, Authorization: `Bearer ${tenant.serviceRoleKey}` },
    }),
    ask: (method, path, { token = tenant.serviceRoleKey, body, headers = {} } = {}) =>
      at.call<Json>(method, path, {
        credential: token,
        headers: { apikey: tenant.anonKey, ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    tokenOf: (userId) => userToken(at, tenant.slug, userId),
  }
}

interface Vendor {
  readonly at: TestEmulator
  readonly group: TestGroup
}

let shared: Promise<Vendor> | undefined
let tenants = 0

async function startVendor(): Promise<Vendor> {
  endWithWorker()
  const at = await startTestEmulator()
  return { at, group: await createGroup(at, 'vendor') }
}

async function execute(at: TestEmulator, tenant: TestTenant, sql: string): Promise<void> {
  const payload = Buffer.from(tenant.anonKey.split('.')[1] ?? '', 'base64url').toString()
  const executed = await at.call(
    'POST',
    `/platform/v1/projects/${JSON.parse(payload).project_id}/db/exec`,
    { credential: at.session, body: { sql } },
  )
  if (executed.status !== 200 || executed.body.error !== undefined) throw new Error(executed.text)
}

/** Returns those headers of an answer that `names` contains. */
export function headersOf(
  answer: Pick<Answer, 'headers'>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}
