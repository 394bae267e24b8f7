// A listening emulator for wire tests, and the requests that most tests of the platform need. Uses only the wire interface.
import {
  createEmulator,
  type Emulator,
  type EmulatorConfig,
  type Observer,
} from '../../emulator/index.ts'
import { TEST_ENGINE, TEST_SEED } from './engine-of-run.ts'
import { testBoundary } from './test-boundary.ts'

export interface Answer<Body = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; `undefined` when it is empty or no JSON. */
  readonly body: Body
}

export interface TestEmulator extends AsyncDisposable {
  readonly emulator: Emulator
  readonly url: string
  /** The token of the developer's dashboard session. */
  readonly session: string
  /** Sends one request with `credential` as the bearer token. An object body is sent as JSON, a string unchanged. */
  call<Body = Json>(method: string, path: string, options?: CallOptions): Promise<Answer<Body>>
}

export interface CallOptions {
  readonly credential?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

// biome-ignore lint/suspicious/noExplicitAny: wire tests read foreign JSON member by member and assert on it
export type Json = any

/** Starts an emulator in memory. Uses a free port unless `onPort` names one. */
export async function startTestEmulator(
  config: EmulatorConfig = {},
  observers: readonly Observer[] = [],
  onPort = 0,
): Promise<TestEmulator> {
  const begin = (): Promise<TestEmulator> => listening(config, observers, onPort)
  return testBoundary()?.start(begin) ?? begin()
}

async function listening(
  config: EmulatorConfig,
  observers: readonly Observer[],
  onPort: number,
): Promise<TestEmulator> {
  const seed = TEST_SEED === undefined ? {} : { deterministicSeed: TEST_SEED }
  const emulator = await createEmulator({ ...seed, ...TEST_ENGINE, ...config }, observers)
  const { port } = await emulator.listen({ port: onPort, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${port}`
  const { platform } = await emulator.ready(url)
  return {
    emulator,
    url,
    session: platform.session_token,
    call: callsTo(url),
    [Symbol.asyncDispose]: () => emulator.close(),
  }
}

/** Returns a function that sends requests to the emulator at an address. */
export function callsTo(url: string): TestEmulator['call'] {
  return (method, path, options = {}) => call(url, method, path, options)
}

async function call<Body>(
  url: string,
  method: string,
  path: string,
  { credential, body, headers = {} }: CallOptions,
): Promise<Answer<Body>> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parse(text) as Body }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface TestGroup {
  readonly id: string
  readonly key: string
  readonly templateId: string
  readonly templateSlug: string
}

/** Creates a template project and runs `sql` in it. Also creates a group on the template, and a Group API Key. */
export async function createGroup(
  { call, session }: Pick<TestEmulator, 'call' | 'session'>,
  templateSlug: string,
  { sql, plan }: { readonly sql?: string; readonly plan?: string } = {},
): Promise<TestGroup> {
  const project = await call('POST', '/platform/v1/projects', {
    credential: session,
    body: { name: templateSlug, slug: templateSlug, ...(plan === undefined ? {} : { plan }) },
  })
  expectStatus(project, 201)
  if (sql !== undefined) {
    const executed = await call('POST', `/platform/v1/projects/${project.body.id}/db/exec`, {
      credential: session,
      body: { sql },
    })
    expectStatus(executed, 200)
    if (executed.body.error !== undefined) throw new Error(executed.text)
  }
  const group = await call('POST', '/platform/v1/groups', {
    credential: session,
    body: { name: templateSlug, template_project_id: `proj_${templateSlug}` },
  })
  expectStatus(group, 201)
  const key = await call('POST', `/platform/v1/groups/${group.body.id}/keys`, {
    credential: session,
    body: { label: 'test' },
  })
  expectStatus(key, 201)
  return { id: group.body.id, key: key.body.key, templateId: project.body.id, templateSlug }
}

export interface TestTenant {
  readonly id: string
  readonly slug: string
  readonly schemaName: string
  readonly anonKey: string
  readonly serviceRoleKey: string
}

/** Provisions a tenant through the group's route. */
export async function provisionTenant(
  { call }: Pick<TestEmulator, 'call'>,
  group: Pick<TestGroup, 'id' | 'key'>,
  slug: string,
): Promise<TestTenant> {
  const made = await call('POST', `/groups/v1/${group.id}/tenants`, {
    credential: group.key,
    body: { slug },
  })
  expectStatus(made, 201)
  return {
    id: made.body.tenant.id,
    slug,
    schemaName: made.body.tenant.schema_name,
    anonKey: made.body.anon_key,
    serviceRoleKey: made.body.service_role_key,
  }
}

/** Sends POST /db/exec for the tenant's project, as the developer. */
export function executeSql(
  { call, session }: TestEmulator,
  { anonKey }: TestTenant,
  sql: string,
): Promise<Answer<Json>> {
  const payload = Buffer.from(anonKey.split('.')[1] ?? '', 'base64url').toString()
  return call('POST', `/platform/v1/projects/${JSON.parse(payload).project_id}/db/exec`, {
    credential: session,
    body: { sql },
  })
}

/** Mints a token for an end user of the project. `userId` is any UUID. */
export async function userToken(
  { call }: TestEmulator,
  slug: string,
  userId: string,
): Promise<string> {
  const minted = await call('POST', '/_emulator/v1/principals', {
    body: { project: slug, role: 'authenticated', user: userId },
  })
  expectStatus(minted, 201)
  return minted.body.token
}

/** Arms these switches of a project, and disarms all others. */
export async function setSwitches(
  { call }: TestEmulator,
  project: string,
  on: readonly string[],
): Promise<void> {
  expectStatus(
    await call('PUT', `/_emulator/v1/projects/${project}/switches`, { body: { on } }),
    200,
  )
}

export function expectStatus(answer: Answer, status: number): void {
  if (answer.status !== status)
    throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`)
}
