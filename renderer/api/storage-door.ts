// Opens a project's storage as any identity. Mints a project credential and exchanges it at /st/v1/token, as an
// application does. The storage token stays in a cache for half its lifetime in platform time.
import type { IdentityReference } from '../../emulator/contract/identities.ts'
import type { MintTokenRequest } from '../../emulator/contract/tokens.ts'
import { ApiError, call, platformFetch, platformJson, refusalOf } from './client.ts'
import { platformNow } from './platform-clock.ts'

/** The identity that manages buckets. */
export const STORAGE_OWNER: IdentityReference = { kind: 'service_role' }

export interface StorageDoor {
  readonly token: string
  /** Base address of the storage service. */
  readonly url: string
  readonly role: 'anon' | 'authenticated'
  readonly canWrite: boolean
}

/** An error response of the storage service, with the request's id in the journal. */
export class StorageRefusal extends ApiError {
  readonly requestId: string | null

  constructor(refusal: ApiError, requestId: string | null) {
    super(refusal.status, refusal.code, refusal.message, refusal.hint)
    this.name = 'StorageRefusal'
    this.requestId = requestId
  }
}

/** The time for which a token is reused, in platform milliseconds. Tokens expire after one hour. */
const KEPT_MILLIS = 30 * 60_000

interface KeptDoor {
  readonly door: Promise<StorageDoor>
  readonly openedAt: number
}

const doors = new Map<string, KeptDoor>()

/** @throws {ApiError} */
export function openStorage(project: string, identity: IdentityReference): Promise<StorageDoor> {
  const key = JSON.stringify([project, identity])
  const now = platformNow()
  const kept = doors.get(key)
  if (kept !== undefined && Math.abs(now - kept.openedAt) < KEPT_MILLIS) return kept.door
  const door = open(project, identity)
  doors.set(key, { door, openedAt: now })
  door.catch(() => doors.delete(key))
  return door
}

/**
 * Returns successful responses only. Retries once with a new token when storage refuses the token. @throws
 * {StorageRefusal}
 */
export async function storageFetch(
  project: string,
  identity: IdentityReference,
  path: string,
  options: {
    readonly method?: string
    readonly body?: unknown
    readonly signal?: AbortSignal
  } = {},
): Promise<Response> {
  for (let isSecond = false; ; isSecond = true) {
    const { token, url } = await openStorage(project, identity)
    const response = await platformFetch(url + path, { ...options, credential: token })
    if (response.ok) return response
    const refusal = await storageRefusalOf(response)
    if (isSecond || !isAboutToken(refusal)) throw refusal
    doors.delete(JSON.stringify([project, identity]))
  }
}

export async function storageRefusalOf(response: Response): Promise<StorageRefusal> {
  return new StorageRefusal(await refusalOf(response), response.headers.get('x-request-id'))
}

async function open(project: string, identity: IdentityReference): Promise<StorageDoor> {
  const [info, credential] = await Promise.all([
    call('GET /info'),
    orderFor(project, identity).then((order) =>
      call('POST /tokens/mint', { body: order, isForPage: true }),
    ),
  ])
  const answer = await platformJson<{
    readonly token: string
    readonly url: string
    readonly role: StorageDoor['role']
    readonly pode_escrever: boolean
  }>(`${info.auth_url}/st/v1/token`, { method: 'POST', credential: credential.token })
  const { token, url, role, pode_escrever: canWrite } = answer
  return { token, url, role, canWrite }
}

async function orderFor(project: string, identity: IdentityReference): Promise<MintTokenRequest> {
  switch (identity.kind) {
    case 'anon':
      return { project, kind: 'anon_key' }
    case 'service_role':
      return { project, kind: 'service_role_key' }
    case 'user':
      return asUser(project, identity.user)
    case 'claims':
      return identity.role === 'authenticated'
        ? asUser(project, identity.claims['sub'])
        : orderFor(project, { kind: identity.role })
    case 'request': {
      const { entry } = await call('GET /journal/:request_id', {
        params: { request_id: identity.request_id },
      })
      return entry.role === 'service_role' || entry.role === 'anon'
        ? orderFor(project, { kind: entry.role })
        : asUser(project, entry.subject)
    }
  }
}

// The credential names only the user's id. Other claims have no effect, because storage does not separate files by
// user.
function asUser(project: string, user: unknown): MintTokenRequest {
  return { project, kind: 'data_plane_token', ...(typeof user === 'string' ? { user } : {}) }
}

function isAboutToken({ message }: ApiError): boolean {
  return /"exp" claim|signature|regenerated|JWS/.test(message)
}
