// Sends a recorded request again as the same identity (contract/recording.ts). Where possible, a replay replaces credentials
// with new ones, so that requests with expired tokens can be replayed.

import { INSPECTOR_MARK } from '../../../contract/operation.ts'
import type { ReplayAnswer } from '../../../contract/recording.ts'
import type { Clock } from '../../../core/clock.ts'
import { asSentence } from '../../../core/errors.ts'
import type { HeaderReader } from '../../../core/headers.ts'
import type { IdSource } from '../../../core/id-source.ts'
import { isJsonObject, type JsonObject } from '../../../core/json.ts'
import { realtimeRoleOf, trusted } from '../../../core/names.ts'
import type { Addresses } from '../../../core/request-env.ts'
import { toEpochSeconds } from '../../../core/time.ts'
import { SERVICE_TOKEN_SECONDS } from '../../../platform/credentials/service-tokens.ts'
import {
  OWNER_SESSION_SECONDS,
  ownerOf,
  USER_SESSION_SECONDS,
} from '../../../platform/credentials/session-tokens.ts'
import type { SigningKeys } from '../../../platform/credentials/signing-keys.ts'
import { readClaims } from '../../../platform/credentials/unverified-claims.ts'
import type { ProjectLookup } from '../../../platform/projects/project.ts'
import { MASK } from '../../../platform/secrets/masking.ts'
import { isSecretHeader, scopeOf } from '../../../platform/secrets/secret-names.ts'
import { unmaskBody } from '../../../platform/secrets/shown-secrets.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import type { Recording } from './kept-request.ts'

/** Changes to the recorded request. An absent member keeps the recorded value. */
export interface ReplayOrder {
  readonly method?: string | undefined
  readonly target?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

export interface ReplayDeps {
  readonly signingKeys: SigningKeys
  readonly projects: ProjectLookup
  readonly clock: Clock
  readonly ids: IdSource
  /** Sends a request through the emulator's server code, so that the journal records the request. Returns its journal id. */
  readonly send: (request: Request) => Promise<{ readonly requestId: string; response: Response }>
}

/** @throws {InspectorError} `invalid_request`; `conflict` when the body was not fully recorded and `order` does not provide one */
export async function replay(
  deps: ReplayDeps,
  recording: Recording,
  order: ReplayOrder,
  addresses: Addresses,
): Promise<ReplayAnswer> {
  const method = order.method ?? recording.method
  requireWhole(recording, order)
  const target = order.target ?? (await freshTarget(deps, recording.target, addresses))
  const body =
    method === 'GET' || method === 'HEAD'
      ? undefined
      : (editedBody(recording, order) ?? bodyOf(recording))
  const headers = await freshHeaders(deps, recording.requestHeaders, addresses)
  for (const [name, value] of Object.entries(order.headers ?? {})) headers.set(name, value)
  // Concatenates the texts, because a target that begins with two slashes is a path and must not be parsed as another host.
  const url = new URL(recording.url).origin + target
  const request = sendable(() => new Request(url, { method, headers, body: body ?? null }))
  const { requestId, response } = await deps.send(request)
  // Reads the response to its end, because the recorder only records the bytes that are read.
  await response.arrayBuffer()
  return { request_id: requestId, status: response.status }
}

/** Builds a part of the request. @throws {InspectorError} `invalid_request` for text that HTTP does not allow in this part */
function sendable<Part>(build: () => Part): Part {
  try {
    return build()
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw new InspectorError(
      'invalid_request',
      `The request cannot be sent again: ${asSentence(cause.message)}`,
      { cause },
    )
  }
}

// Refuses masked credentials. A bundle masks the credentials that its own state does not issue.
function requireWhole({ requestId, requestHeaders, target }: Recording, order: ReplayOrder): void {
  const given = new Set(Object.keys(order.headers ?? {}).map((name) => name.toLowerCase()))
  const [masked] =
    [...requestHeaders].find(
      ([name, value]) => isSecretHeader(name) && !given.has(name) && value.includes(MASK),
    ) ?? []
  const place =
    masked === undefined
      ? order.target === undefined && target.includes(MASK) && 'the address'
      : `the header "${masked}"`
  if (place === false || place === undefined) return
  throw new InspectorError('conflict', `The credential of the request ${requestId} was masked.`, {
    hint: `Pass ${place} with a credential of this emulator.`,
  })
}

// Puts the recorded secrets back, because the user edits the body as it is shown, with masked secrets.
function editedBody(recording: Recording, { body }: ReplayOrder): string | undefined {
  const recorded = recording.requestBody?.bytes().toString('utf8')
  if (body === undefined || recorded === undefined || !recording.isRefused) return body
  return unmaskBody(body, {
    text: recorded,
    type: recording.requestHeaders.get('content-type'),
    signIn: scopeOf(recording.target, 'request'),
  })
}

function bodyOf({
  hasMaskedBody,
  requestId,
  requestBody,
  requestHeaders,
}: Recording): Uint8Array<ArrayBuffer> | undefined {
  if (hasMaskedBody === true)
    throw new InspectorError(
      'conflict',
      `Secrets in the body of the request ${requestId} were masked.`,
      { hint: 'Put the whole body, with its secrets, into the member "body" of this call.' },
    )
  const hadBody =
    requestHeaders.has('transfer-encoding') ||
    Number(requestHeaders.get('content-length') ?? '0') > 0
  if (requestBody?.isComplete === true) return new Uint8Array(requestBody.bytes())
  if (!hadBody) return undefined
  throw new InspectorError('conflict', `The body of the request ${requestId} was not recorded.`, {
    hint: 'Pass the body as "body". The emulator records text bodies up to 64 KB: those of refused requests, and all while the inspector is open or with journalBodies "always".',
  })
}

/** Headers that belong to the connection, or that `Request` computes, and the header that marks the inspector’s own requests. */
const NOT_SENT_AGAIN = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  INSPECTOR_MARK,
]

async function freshHeaders(
  deps: ReplayDeps,
  recorded: HeaderReader,
  addresses: Addresses,
): Promise<Headers> {
  // Leaves out masked headers, because a header cannot contain the character that replaces a secret.
  const kept = [...recorded].filter(([, value]) => !value.includes(MASK))
  const headers = sendable(() => new Headers(kept))
  for (const name of NOT_SENT_AGAIN) headers.delete(name)
  const [, scheme, bearer] = /^(bearer\s+)(\S+)\s*$/i.exec(headers.get('authorization') ?? '') ?? []
  if (scheme !== undefined && bearer !== undefined)
    headers.set('authorization', scheme + (await freshCredential(deps, bearer, addresses)))
  const apikey = headers.get('apikey')
  if (apikey !== null) headers.set('apikey', await freshCredential(deps, apikey, addresses))
  return headers
}

async function freshTarget(
  deps: ReplayDeps,
  target: string,
  addresses: Addresses,
): Promise<string> {
  const found = /([?&]apikey=)([^&]+)/.exec(target)
  const [whole, name, credential] = found ?? []
  if (whole === undefined || name === undefined || credential === undefined) return target
  return target.replace(whole, name + (await freshCredential(deps, credential, addresses)))
}

/**
 * Signs the same claims with current keys and a new expiry. Credentials without claims, such as API keys, are returned
 * unchanged.
 */
async function freshCredential(
  deps: ReplayDeps,
  credential: string,
  addresses: Addresses,
): Promise<string> {
  const { signingKeys, clock, ids } = deps
  const claims = readClaims(credential)
  if (claims === undefined) return credential
  const now = clock.now()
  if (credential.startsWith('v4.public.')) {
    const { iat: _iat, exp: _exp, nbf: _nbf, jti, ...others } = claims
    const seconds = ownerOf(claims) === undefined ? USER_SESSION_SECONDS : OWNER_SESSION_SECONDS
    const renewed = jti === undefined ? others : { ...others, jti: ids.uuid() }
    return signingKeys.signPaseto(renewed, now, seconds)
  }
  const keyVersion = keyVersionOf(deps, claims)
  const issuedAt = toEpochSeconds(now)
  const timed = { ...claims, iat: issuedAt }
  const short = { ...timed, exp: issuedAt + SERVICE_TOKEN_SECONDS }
  if (typeof claims['origin_role'] === 'string')
    return signingKeys.signHs256('storage', short, keyVersion)
  if (isRealtime(claims)) {
    const own = isJsonObject(claims['claims']) ? { ...claims['claims'], kv: keyVersion } : undefined
    return signingKeys.signHs256('realtime', { ...short, claims: own })
  }
  if (typeof claims['project_id'] !== 'string') return credential
  return signingKeys.signEs256({
    ...timed,
    kv: keyVersion,
    iss: addresses.authUrl,
    aud: addresses.dataUrl,
    ...(claims['exp'] === undefined ? {} : { exp: issuedAt + USER_SESSION_SECONDS }),
  })
}

function isRealtime(claims: JsonObject): boolean {
  const schema = claims['project_schema']
  return typeof schema === 'string' && claims['role'] === realtimeRoleOf(trusted.schemaName(schema))
}

// The project's keys may have been regenerated since the recording.
function keyVersionOf({ projects }: ReplayDeps, claims: JsonObject): number | undefined {
  const schema = claims['project_schema']
  const project =
    typeof schema === 'string'
      ? projects.findProjectBySchema(trusted.schemaName(schema))
      : undefined
  return project?.keyVersion
}
