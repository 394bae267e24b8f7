// One emulator with one tenant, and functions that tests of end-user authentication share: requests, settings and the clock.
import type { ClockCommand } from '../../emulator/contract/clock.ts'
import type { EmulatorConfig } from '../../emulator/index.ts'
import {
  type Answer,
  type CallOptions,
  createGroup,
  type Json,
  provisionTenant,
  type TestEmulator,
  type TestGroup,
  type TestTenant,
} from './test-emulator.ts'
import { emulatorOf } from './worker-emulator.ts'

export interface AuthWorld extends AsyncDisposable {
  readonly at: TestEmulator
  readonly group: TestGroup
  readonly tenant: TestTenant
  /** Sends a request to `/auth/v1` + `path` with the tenant's anon key as `apikey`, and `token` as the bearer token. */
  auth(method: string, path: string, body?: unknown, token?: string): Promise<Answer<Json>>
  /** Signs up a new user and returns the session. */
  freshUser(extra?: object): Promise<Json>
  /** An unused e-mail address. */
  freshEmail(): string
  /** Changes the tenant's settings. `changes` has the names of the wire format. */
  settings(changes: object): Promise<void>
  /** Sends a command to the platform clock. */
  clock(command: ClockCommand): Promise<void>
  /** Moves the platform clock forward. */
  advance(seconds: number): Promise<void>
  /** Bans a user until `until` (ISO 8601). `null` ends the ban. */
  ban(userId: string, until: string | null): Promise<void>
  /** Runs SQL as the tenant's owner. */
  execute(sql: string): Promise<Json>
  /** Sends a request to the data plane with `token` as the bearer token. */
  data(method: string, path: string, token: string, body?: unknown): Promise<Answer<Json>>
}

export const PASSWORD = 'correct horse'

export async function startAuthWorld(config?: EmulatorConfig): Promise<AuthWorld> {
  const at = await emulatorOf(config)
  const group = await createGroup(at, 'vendor')
  const tenant = await provisionTenant(at, group, 'shop')
  let counter = 0
  const freshEmail = (): string => `user${++counter}@example.com`
  const auth: AuthWorld['auth'] = (method, path, body, token) =>
    at.call<Json>(method, `/auth/v1${path}`, {
      headers: { apikey: tenant.anonKey },
      ...(body === undefined ? {} : { body }),
      ...(token === undefined ? {} : { credential: token }),
    })
  const clock = async (command: ClockCommand): Promise<void> => {
    granted(await at.call('POST', '/_emulator/v1/clock', { body: command }))
  }
  return {
    at,
    group,
    tenant,
    auth,
    freshEmail,
    freshUser: async (extra = {}) =>
      granted(await auth('POST', '/signup', { email: freshEmail(), password: PASSWORD, ...extra })),
    settings: async (changes) => {
      const path = `/_emulator/v1/projects/${tenant.slug}/auth-settings`
      granted(await at.call('PATCH', path, { body: changes }))
    },
    ban: async (userId, until) => {
      const path = `/_emulator/v1/projects/${tenant.slug}/users/${userId}`
      granted(await at.call('PATCH', path, { body: { banned_until: until } }))
    },
    clock,
    advance: (seconds) => clock({ advance_ms: seconds * 1_000 }),
    execute: async (sql) => {
      const payload = Buffer.from(tenant.anonKey.split('.')[1] ?? '', 'base64url').toString()
      const path = `/platform/v1/projects/${JSON.parse(payload).project_id}/db/exec`
      // Uses a new session, because a moved clock may have expired earlier sessions.
      const { platform } = await at.emulator.ready(at.url)
      const credential = platform.session_token
      const done = granted(await at.call('POST', path, { credential, body: { sql } }))
      if (done.error !== undefined) throw new Error(JSON.stringify(done))
      return done
    },
    data: (method, path, token, body) =>
      at.call<Json>(method, path, dataRequest(tenant, token, body)),
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  }
}

function dataRequest(tenant: TestTenant, token: string, body: unknown): CallOptions {
  return {
    credential: token,
    headers: {
      apikey: tenant.anonKey,
      'accept-profile': tenant.schemaName,
      'content-profile': tenant.schemaName,
    },
    ...(body === undefined ? {} : { body }),
  }
}

/** Returns the body of a successful answer. Fails for any other answer. */
export function granted(answer: Answer<Json>): Json {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.body
}

/** Status and code of a refusal, for one comparison. */
export function refusalOf(answer: Answer<Json>): string {
  return `${answer.status} ${answer.body?.error?.code}`
}

/** The claims of a JWT, unverified. */
export function claimsOf(token: string): Json {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}
