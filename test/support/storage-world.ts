// One emulator with two tenants and their storage tokens, used through the reference client and plain requests.
import { StorageClient } from '@supabase/storage-js'
import type { EmulatorConfig } from '../../emulator/index.ts'
import {
  type Answer,
  createGroup,
  type Json,
  provisionTenant,
  type TestEmulator,
  type TestGroup,
  type TestTenant,
  userToken,
} from './test-emulator.ts'
import { emulatorOf } from './worker-emulator.ts'

export interface StorageWorld extends AsyncDisposable {
  readonly at: TestEmulator
  readonly group: TestGroup
  readonly tenant: TestTenant
  readonly neighbour: TestTenant
  /** Address of the storage service. */
  readonly url: string
  /** Storage tokens of the tenant's server side, a user and the anon key, and of the neighbour's server side. */
  readonly tokens: Readonly<Record<StorageRoleName, string>>
  /** The unmodified client with one of the tokens. */
  client(role?: StorageRoleName): StorageClient
  /** Creates an unused bucket as the server side and returns its full name. */
  freshBucket(options?: BucketOptions): Promise<string>
  /** Sends one plain request to a path below the storage address. Uses the server side's token unless `role` is set. */
  ask(method: string, path: string, options?: StorageAsk): Promise<Answer<Json>>
  /** Stores text under a key, as the server side. */
  put(bucket: string, objectKey: string, text: string): Promise<Json>
  /** Moves the platform clock forward. */
  advance(seconds: number): Promise<void>
}

export type StorageRoleName = 'server' | 'user' | 'anon' | 'neighbour'

export interface BucketOptions {
  readonly public?: boolean
  readonly file_size_limit?: number | string | null
  readonly allowed_mime_types?: readonly string[] | null
}

export interface StorageAsk {
  /** `null` sends no bearer token. */
  readonly role?: StorageRoleName | null
  readonly token?: string
  /** A string or bytes are sent unchanged. An object is sent as JSON. */
  readonly body?: Json
  readonly headers?: Readonly<Record<string, string>>
}

export const USER = '00000000-0000-4000-8000-00000000000a'

export async function startStorageWorld(config?: EmulatorConfig): Promise<StorageWorld> {
  const at = await emulatorOf(config)
  const group = await createGroup(at, 'vendor')
  const tenant = await provisionTenant(at, group, 'acme')
  const neighbour = await provisionTenant(at, group, 'other')
  const tokens = {
    server: await storageToken(at, tenant.serviceRoleKey),
    user: await storageToken(at, await userToken(at, tenant.slug, USER)),
    anon: await storageToken(at, tenant.anonKey),
    neighbour: await storageToken(at, neighbour.serviceRoleKey),
  }
  const url = `${at.url}/storage/v1`
  let counter = 0
  const ask: StorageWorld['ask'] = async (method, path, options = {}) => {
    const { role = 'server', headers = {}, body } = options
    const token = options.token ?? (role === null ? undefined : tokens[role])
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(isRaw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parse(text) }
  }
  return {
    at,
    group,
    tenant,
    neighbour,
    url,
    tokens,
    client: (role = 'server') =>
      new StorageClient(url, { Authorization: `Bearer ${tokens[role]}` }),
    ask,
    freshBucket: async (options = {}) => {
      const name = `${tenant.schemaName}_b${++counter}`
      return requireOk(await ask('POST', '/bucket', { body: { name, ...options } })).body.name
    },
    put: async (bucket, objectKey, text) =>
      requireOk(
        await ask('POST', `/object/${bucket}/${encodeURIComponent(objectKey)}`, {
          body: text,
          headers: { 'content-type': 'text/plain', 'x-upsert': 'true' },
        }),
      ).body,
    advance: async (seconds) => {
      await at.call('POST', '/_emulator/v1/clock', { body: { advance_ms: seconds * 1_000 } })
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  }
}

/** Exchanges a platform credential for a storage token. */
export async function storageToken({ call }: TestEmulator, credential: string): Promise<string> {
  return requireOk(await call('POST', '/st/v1/token', { credential })).body.token
}

function requireOk(answer: Answer<Json>): Answer<Json> {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`)
  return answer
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
