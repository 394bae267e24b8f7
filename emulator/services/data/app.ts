// Serves the data plane. Every path below the data plane's address names a relation or a function of the caller's own project
// (docs/wire/data-plane.md#transaction). Verifies both credentials and the requested schema of each request
// (docs/wire/data-plane.md#gate).
import type { HeaderReader } from '../../core/headers.ts'
import type { SchemaName } from '../../core/names.ts'
import type { Answer, PlainRequest } from '../../core/plain-http.ts'
import type { VerifiedPrincipal } from '../../core/principal.ts'
import type { RequestEnv, ServiceApp } from '../../core/request-env.ts'
import type { Engine } from '../../database/engine.ts'
import { timedEngine } from '../../database/timed-engine.ts'
import { CredentialError } from '../../platform/credentials/credential-error.ts'
import { bearerOf, type Verifier } from '../../platform/credentials/verify.ts'
import type { Lifecycle } from '../../platform/projects/lifecycle.ts'
import { answer } from './answer.ts'
import { DataError } from './errors.ts'
import type { PastReads } from './past-reads.ts'
import { renderDataError, renderDataInternal, renderDataUnavailable } from './render-error.ts'
import type { ChosenSchema } from './request/api-request.ts'
import { chooseSchema, isWrite } from './request/parse-request.ts'
import { createSchemaCaches } from './schema-cache/cache.ts'
import { type DataSettings, tenantSettings } from './settings.ts'

export interface DataDeps {
  readonly engine: Engine
  /** The data plane calls this function twice for each request, so the function should cache its result. */
  readonly verifier: Verifier
  readonly lifecycle: Lifecycle
  /** Maximum duration of a request's statement, in wall-clock milliseconds (docs/wire/data-plane.md#transaction). */
  readonly statementTimeoutMillis: number
  /** Maximum size of a request body, in bytes. */
  readonly maxBodyBytes: number
  /** Maximum size of a response, in bytes. */
  readonly maxResultBytes: number
  /** Absent: the emulator records no changes of rows. */
  readonly past?: PastReads | undefined
}

/** Maximum number of cached settings. Callers choose the Host header, so the cache could otherwise grow without limit. */
const KNOWN_SETTINGS = 1_000

export function createDataApp(deps: DataDeps): ServiceApp<Answer> {
  const { engine, verifier, lifecycle, statementTimeoutMillis, maxBodyBytes, maxResultBytes } = deps
  const caches = createSchemaCaches(engine)
  const pipeline = { engine, caches, past: deps.past }
  lifecycle.listen({
    schemaChanged: (project) => caches.invalidate(project.schemaName),
    offline: (project) => caches.invalidate(project.schemaName),
    stateReplaced: () => caches.clear(),
  })
  // Returns the same object for the same project and address, because the shape memory uses this object as its key
  // (shape-memory.ts).
  const knownSettings = new Map<string, DataSettings>()
  function settingsOf(schemaName: SchemaName, publicUrl: string): DataSettings {
    const key = `${schemaName} ${publicUrl}`
    const known = knownSettings.get(key)
    if (known !== undefined) return known
    if (knownSettings.size >= KNOWN_SETTINGS) knownSettings.clear()
    const settings = {
      ...tenantSettings(schemaName, statementTimeoutMillis),
      publicUrl,
      maxResultBytes,
    }
    knownSettings.set(key, settings)
    return settings
  }
  async function serve(sent: PlainRequest, env: RequestEnv): Promise<Answer> {
    const { method, headers, path, search, signal } = sent
    const { facts, addresses, requestId, stopwatch } = env
    let caller: VerifiedPrincipal
    let settings: DataSettings
    let chosen: ChosenSchema
    try {
      caller = await callerOf(verifier, headers)
      settings = settingsOf(caller.schemaName, addresses.dataUrl)
      chosen = ownSchema(method, headers, settings)
    } finally {
      stopwatch?.lap('jwt')
    }
    note(env, caller)
    const body = await bodyOf(sent, maxBodyBytes)
    stopwatch?.lap('body')
    return answer(
      stopwatch === undefined ? pipeline : { ...pipeline, engine: timedEngine(engine, stopwatch) },
      {
        method,
        path,
        search,
        headers,
        body,
        caller,
        isAnonymous: caller.role === 'anon',
        settings,
        chosen,
        signal,
        facts,
        requestId,
        onStage: stopwatch?.lap,
      },
    )
  }

  return {
    answer: serve,
    renderError: renderDataError,
    renderUnavailable: renderDataUnavailable,
    renderInternal: renderDataInternal,
  }
}

const NO_BODY = new Uint8Array()

async function bodyOf(request: PlainRequest, maxBytes: number): Promise<Uint8Array> {
  if (request.method === 'GET' || request.method === 'HEAD') return NO_BODY
  const bytes = await request.readBody(maxBytes).catch((cause: unknown) => {
    throw new DataError('PGRST102', 'The connection ended before the whole body arrived.', {
      cause,
    })
  })
  if (bytes !== undefined) return bytes
  throw new DataError(
    'payload_too_large',
    `The body is larger than ${maxBytes} bytes, the limit for a request.`,
    { hint: 'Send the rows in several requests, or start Tenantry with a larger --max-body.' },
  )
}

function note({ facts }: RequestEnv, caller: VerifiedPrincipal): void {
  facts.schemaName = caller.schemaName
  facts.role = caller.role
  facts.subject = caller.subject
  facts.credentialKind = caller.credentialKind
}

/** Verifies both credentials and returns the caller. @throws {DataError} `unauthorized` */
async function callerOf(verifier: Verifier, headers: HeaderReader): Promise<VerifiedPrincipal> {
  const authorization = headers.get('authorization')
  const apiKey = headers.get('apikey')
  if (authorization === null)
    throw unauthorized(
      'The header Authorization is missing.',
      'Send "Authorization: Bearer <key or data_plane_token>". This credential decides who acts.',
    )
  if (apiKey === null || apiKey.trim() === '')
    throw unauthorized(
      'The header apikey is missing.',
      "Send the project's anon or service_role key in it.",
    )
  const bearer = bearerOf(authorization)
  const acting = await verified(verifier, 'Authorization', bearer)
  const key = bearer === apiKey ? acting : await verified(verifier, 'apikey', apiKey)
  if (key.credentialKind === 'dataPlaneToken')
    throw unauthorized(
      'The header apikey holds a credential of the wrong kind: a data_plane_token.',
      "Send the project's anon or service_role key in apikey, and the token in Authorization.",
    )
  if (key.projectId !== acting.projectId)
    throw unauthorized(
      'The headers Authorization and apikey hold credentials of different projects.',
      'Send two credentials of the same project.',
    )
  return acting
}

async function verified(
  verifier: Verifier,
  header: string,
  text: string | undefined,
): Promise<VerifiedPrincipal> {
  try {
    return await verifier.verify(text, ['principal'])
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error
    throw unauthorized(
      `The header ${header} holds no usable credential: ${flawOf(error)}.`,
      error.hint,
      error,
    )
  }
}

function flawOf(error: CredentialError): string {
  const reason = error.message.replace(/\.$/, '')
  switch (error.code) {
    case 'missing':
      return 'it is missing (expected "Bearer <credential>")'
    case 'malformed':
    case 'expired':
    case 'revoked':
    case 'offline':
      return `${error.code} (${reason})`
    case 'userGone':
      return reason
    case 'wrongKind':
      return `wrong kind (${reason})`
    default:
      return error.code satisfies never
  }
}

function unauthorized(message: string, hint: string | undefined, cause?: unknown): DataError {
  return new DataError('unauthorized', message, { hint, cause })
}

// The profile `public`, which clients send by default, selects the project's own schema. The error never reveals whether
// another project's schema exists.
function ownSchema(method: string, headers: HeaderReader, settings: DataSettings): ChosenSchema {
  const profile = headers.get(isWrite(method) ? 'content-profile' : 'accept-profile')
  const own = settings.schemas[0] ?? ''
  if (profile === 'public') return { schema: own, isNegotiatedByProfile: true }
  if (profile !== null && profile !== own && profile.startsWith('proj_'))
    throw unauthorized(
      `The credential does not belong to the schema "${profile}".`,
      'Send the profile of the project that the credential belongs to, or no profile.',
    )
  return chooseSchema(method, headers, settings.schemas)
}
