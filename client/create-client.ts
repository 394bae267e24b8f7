// Creates the client object: one URL, one key, one project, and a client for each service of the platform.
import { PostgrestClient } from '@supabase/postgrest-js'
import type { StorageClient } from '@supabase/storage-js'
import { addressesOf, slugOf } from './addresses.ts'
import { createAuthApi } from './auth/api.ts'
import { type AuthClient, createAuthClient } from './auth/client.ts'
import { attempt, localError, type Result } from './auth/errors.ts'
import { isRecord } from './auth/session.ts'
import { fetchAs } from './data-fetch.ts'
import { ambientEnvironment, type Environment } from './environment.ts'
import { createServerTime, type ServerTime } from './server-time.ts'
import { createStorage } from './storage.ts'
import { createStorageTokens } from './storage-token.ts'
import { memoryStorage, type TextStorage } from './text-storage.ts'

/** The schema of a client without a type parameter: rows and arguments have the type `any`. */
// biome-ignore lint/suspicious/noExplicitAny: postgrest-js takes a schema without declared tables as `any`
export type UndeclaredSchema = any

/**
 * Types of a project's tables and functions, as type generators declare them, for example `Database['proj_acme']` of the
 * file that `tenantry types` writes. Undeclared tables and functions have the type `any`.
 */
export interface ProjectSchema {
  Tables: Record<string, DeclaredTable>
  Views: Record<string, DeclaredTable | DeclaredView>
  Functions: Record<string, { Args: Record<string, unknown>; Returns: unknown }>
}

/** A table, or a view that accepts changes. */
export interface DeclaredTable extends DeclaredView {
  Insert: Record<string, unknown>
  Update: Record<string, unknown>
}

/** A view. */
export interface DeclaredView {
  Row: Record<string, unknown>
  Relationships: {
    foreignKeyName: string
    columns: string[]
    isOneToOne?: boolean
    referencedRelation: string
    referencedColumns: string[]
  }[]
}

/** Options of `createClient`. */
export interface ClientOptions {
  /** The tenant, as its slug or its schema name `proj_<slug>`. */
  readonly project: string
  /** Storage for the session. Default: the page's `localStorage`, or memory when the page has no `localStorage`. */
  readonly storage?: TextStorage
  /** Whether the client renews a session automatically, a minute before it expires. Default: true. */
  readonly autoRefreshToken?: boolean
  readonly fetch?: typeof fetch
}

/** A token for the realtime socket, with its address. */
export interface RealtimeToken {
  readonly token: string
  /** Address of the project's realtime socket. */
  readonly url: string
  readonly papel_de_origem: string
  /** Lifetime in seconds. */
  readonly expires_in: number
}

/** The client of rows and functions, from postgrest-js. */
export type DataClient<Schema extends ProjectSchema> = PostgrestClient<
  UndeclaredSchema,
  { PostgrestVersion: '14' },
  UndeclaredSchema,
  Schema
>

/** A client for one tenant. */
export interface Client<Schema extends ProjectSchema = UndeclaredSchema> {
  readonly auth: AuthClient
  /** Reads and writes a table or view. */
  readonly from: DataClient<Schema>['from']
  /** Calls a database function. */
  readonly rpc: DataClient<Schema>['rpc']
  /** Returns the data client for another schema. */
  readonly schema: DataClient<Schema>['schema']
  /** Client for buckets and objects. Use a bucket's full name, `proj_<slug>_<name>`. */
  readonly storage: StorageClient
  /**
   * Returns a token for @supabase/realtime-js. The token acts as the signed-in user, or as the key when no user is signed in.
   * The token is valid for one hour.
   */
  getRealtimeToken(): Promise<Result<RealtimeToken>>
  /** Always throws, because this client has no realtime channels. @throws {Error} its message names the alternative */
  channel(name: string): never
  /** Stops timers and listeners. Pages that use the client until they close need not call `close`. */
  close(): void
}

/**
 * Creates a client of the platform.
 * @param url the auth address. If its host begins with `auth.`, data requests go to the host with `api.` instead. Otherwise
 * they go to the same address.
 * @param key the project's anon key, or on a server its service_role key
 * @throws {TypeError} when an argument is invalid
 */
export function createClient<Schema extends ProjectSchema = UndeclaredSchema>(
  url: string,
  key: string,
  options: ClientOptions,
): Client<Schema> {
  return createClientIn<Schema>(ambientEnvironment(), url, key, options)
}

/** Works like `createClient`, with a given environment. Tests pass their own clock, storage and tabs. */
export function createClientIn<Schema extends ProjectSchema = UndeclaredSchema>(
  environment: Environment,
  url: string,
  key: string,
  options: ClientOptions,
): Client<Schema> {
  const addresses = addressesOf(url)
  if (typeof key !== 'string' || key === '')
    throw new TypeError('The second argument must be the project’s anon key.')
  const slug = slugOf(options?.project)
  const serverTime = createServerTime(environment.clock, addresses.auth, () => check())
  const fetch = noting(serverTime, options.fetch ?? environment.fetch)
  const storage = options.storage ?? environment.storage ?? memoryStorage()
  const api = createAuthApi({ url: addresses.auth, key, slug, fetch })
  const { acting, auth, check, close, sessions } = createAuthClient({
    api,
    serverTime,
    environment,
    storage,
    shared: options.storage !== undefined || environment.storage !== undefined,
    name: `tenantry.${new URL(addresses.auth).host}.${slug}`,
    automatic: options.autoRefreshToken ?? true,
  })
  const data: DataClient<Schema> = new PostgrestClient(addresses.data, {
    headers: { apikey: key },
    schema: `proj_${slug}`,
    fetch: fetchAs({ sessions, key, send: fetch }),
  })
  const tokens = createStorageTokens({ acting, api, clock: environment.clock, key })
  return {
    auth,
    from: data.from.bind(data),
    rpc: data.rpc.bind(data),
    schema: data.schema.bind(data),
    storage: createStorage({ tokens, fetch, expectedUrl: addresses.storage }),
    getRealtimeToken: () =>
      attempt(null, async () =>
        readRealtimeToken(
          await acting((session) =>
            api({
              method: 'POST',
              path: '/rt/v1/token',
              bearer: session?.data_plane_token ?? key,
            }),
          ),
        ),
      ),
    channel: refuseChannel,
    close,
  }
}

/** Returns a `fetch` that reads the platform's time from each answer. */
function noting(serverTime: ServerTime, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init)
    serverTime.note(input instanceof Request ? input.url : String(input), response)
    return response
  }
}

function readRealtimeToken(answer: unknown): RealtimeToken {
  if (isRealtimeToken(answer)) return answer
  throw localError('unexpected_answer', 'The response of the platform contains no realtime token.')
}

/** Whether `value` has the members that the library uses. */
function isRealtimeToken(value: unknown): value is RealtimeToken {
  return isRecord(value) && typeof value['token'] === 'string' && typeof value['url'] === 'string'
}

function refuseChannel(name: string): never {
  throw new Error(
    `This client has no channel('${name}'). Use RealtimeClient of @supabase/realtime-js: ` +
      'const { data } = await client.getRealtimeToken(); ' +
      'new RealtimeClient(data.url, { params: { apikey: data.token } }). ' +
      'Request a new token within an hour, and after every sign-in and sign-out.',
  )
}
