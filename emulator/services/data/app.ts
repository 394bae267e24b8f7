// Serves the data plane. Every path below the data plane's address names a relation or a function of the caller's own project
// (docs/wire/data-plane.md#transaction).
import { type Answer, toResponse } from '../../core/answer.ts'
import type { SchemaName } from '../../core/names.ts'
import { PlainRequest } from '../../core/plain-request.ts'
import type { RequestEnv, ServiceApp } from '../../core/request-env.ts'
import type { Engine } from '../../database/engine.ts'
import { timedEngine } from '../../database/timed-engine.ts'
import type { Verifier } from '../../platform/credentials/verified.ts'
import type { Lifecycle } from '../../platform/projects/lifecycle.ts'
import { type Admission, admit, type Gate } from './admit.ts'
import { answer } from './answer.ts'
import { DataError } from './errors.ts'
import { renderDataError, renderDataInternal, renderDataUnavailable } from './render-error.ts'
import type { RawRequest } from './request/parse-request.ts'
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
}

/** Maximum number of cached settings. Callers choose the Host header, so the cache could otherwise grow without limit. */
const KNOWN_SETTINGS = 1_000

export function createDataApp(deps: DataDeps): ServiceApp {
  const { engine, verifier, lifecycle, statementTimeoutMillis, maxBodyBytes, maxResultBytes } = deps
  const caches = createSchemaCaches(engine)
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
  async function serve(request: PlainRequest, env: RequestEnv): Promise<Answer> {
    const { method, headers, signal } = request
    const { facts, addresses, requestId, stopwatch } = env
    const gate: Gate = { verifier, settingsOf: (name) => settingsOf(name, addresses.dataUrl) }
    let admission: Admission
    try {
      admission = await admit(gate, method, headers)
    } finally {
      stopwatch?.lap('jwt')
    }
    note(env, admission)
    const raw = await rawOf(request, maxBodyBytes)
    stopwatch?.lap('body')
    const { actor, settings, chosen } = admission
    const admitted = { raw, actor, settings, chosen, signal, facts, requestId }
    if (stopwatch === undefined) return answer({ engine, caches }, admitted)
    const timed = { engine: timedEngine(engine, stopwatch), caches }
    return answer(timed, { ...admitted, onStage: stopwatch.lap })
  }

  return {
    fetch: async (request, env) =>
      toResponse(await serve(new PlainRequest(request, undefined), env)),
    answer: serve,
    renderError: renderDataError,
    renderUnavailable: renderDataUnavailable,
    renderInternal: renderDataInternal,
  }
}

const NO_BODY = new Uint8Array()

async function rawOf(request: PlainRequest, maxBodyBytes: number): Promise<RawRequest> {
  const { method, path, search, headers } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return {
    method,
    path,
    search,
    headers,
    body: hasBody ? await bodyOf(request, maxBodyBytes) : NO_BODY,
  }
}

async function bodyOf(request: PlainRequest, maxBytes: number): Promise<Uint8Array> {
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

function note({ facts }: RequestEnv, { actor, subject, credentialKind }: Admission): void {
  facts.schemaName = actor.schemaName
  facts.role = actor.role
  facts.subject = subject
  facts.credentialKind = credentialKind
}
