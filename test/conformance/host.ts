// Runs the data plane's pipeline on a port. The configuration of a group of cases replaces the platform's gate.
import { createServer, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { trusted } from '../../emulator/core/names.ts'
import { Answer } from '../../emulator/core/plain-http.ts'
import type { Engine } from '../../emulator/database/engine.ts'
import { sendAnswer } from '../../emulator/server/http.ts'
import { answer } from '../../emulator/services/data/answer.ts'
import { DataError, refusalOf, renderRefusal } from '../../emulator/services/data/errors.ts'
import { RefusedByDatabase } from '../../emulator/services/data/from-sql-error.ts'
import { chooseSchema } from '../../emulator/services/data/request/parse-request.ts'
import {
  createSchemaCaches,
  type SchemaCaches,
} from '../../emulator/services/data/schema-cache/cache.ts'
import type { DataSettings } from '../../emulator/services/data/settings.ts'
import { type Bouncer, bouncerOf, callerOf } from './bearer.ts'
import { type Configuration, settingsOf } from './configuration.ts'
import { preflightAnswer, readingHeaders } from './cors.ts'
import { loadRoleSettings } from './role-settings.ts'
import { startStopwatch } from './stopwatch.ts'

export interface ConformanceHost {
  readonly baseUrl: string
  /** Sets the configuration and engine for all later requests. @throws {RangeError | SqlError} */
  configure(configuration: Configuration, engine: Engine): Promise<void>
  /** Answers every request with 500 until `configure` succeeds, because a group's configuration may be unsupported. */
  refuseEverything(): void
  close(): Promise<void>
}

interface Setup {
  readonly engine: Engine
  readonly caches: SchemaCaches
  readonly configuration: Configuration
  readonly bouncer: Bouncer
  readonly settings: DataSettings
}

export async function openConformanceHost(): Promise<ConformanceHost> {
  let setup: Setup | undefined
  const listener = getRequestListener(async (request, { incoming, outgoing }) => {
    if (setup === undefined || !(outgoing instanceof ServerResponse))
      return new Response('not configured', { status: 500 })
    const target = ('url' in incoming ? incoming.url : undefined) ?? '/'
    sendAnswer(await respond(setup, request, target), outgoing)
    return RESPONSE_ALREADY_SENT
  })
  // Keeps idle connections open without a limit, because loading a group's fixtures takes longer than the default.
  const server = createServer({ keepAliveTimeout: 0 }, listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    configure: async (configuration, engine) => {
      setup = undefined
      setup = await setUp(configuration, engine)
    },
    refuseEverything: () => {
      setup = undefined
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function setUp(configuration: Configuration, engine: Engine): Promise<Setup> {
  const settings = settingsOf(configuration)
  const roleSettings = new Map([
    ...(await loadRoleSettings(engine)),
    ...(settings.roleSettings ?? []),
  ])
  return {
    engine,
    caches: createSchemaCaches(engine),
    configuration,
    bouncer: bouncerOf(configuration),
    settings: { ...settings, roleSettings },
  }
}

// Wraps the rest of the pipeline. The layers from the outside are the trace header, CORS and the caller's identity.
async function respond(setup: Setup, request: Request, target: string): Promise<Answer> {
  const { configuration } = setup
  const origins = configuration['server-cors-allowed-origins']
  const preflight = preflightAnswer(request, origins)
  const response =
    preflight === undefined
      ? await answeredOrRefused(setup, request, target)
      : new Answer(200, Object.fromEntries(preflight), '')
  if (request.method !== 'OPTIONS')
    for (const [name, value] of readingHeaders(request.headers, origins))
      response.headers.set(name, value)
  if (response.status === 503) response.headers.set('Retry-After', '0')
  const trace = configuration['server-trace-header']
  if (trace !== null) response.headers.set(trace, request.headers.get(trace) ?? '')
  return response
}

async function answeredOrRefused(setup: Setup, request: Request, target: string): Promise<Answer> {
  try {
    return await answered(setup, request, target)
  } catch (error) {
    const refusal =
      error instanceof DataError
        ? refusalOf(error)
        : error instanceof RefusedByDatabase
          ? error.refusal
          : undefined
    if (refusal === undefined) {
      process.stderr.write(`${request.method} ${target}\n${String(stackOf(error))}\n`)
      return new Answer(500, {}, 'the host failed')
    }
    const { status, reason, headers, body } = renderRefusal(refusal)
    const isHead = request.method === 'HEAD'
    return new Answer(status, headers, isHead ? undefined : body, reason)
  }
}

function stackOf(error: unknown): unknown {
  return error instanceof Error ? error.stack : error
}

async function answered(
  { engine, caches, configuration, bouncer, settings }: Setup,
  request: Request,
  target: string,
): Promise<Answer> {
  const { method, headers, signal } = request
  const watch = startStopwatch()
  const caller = callerOf(bouncer, headers.get('authorization'), Date.now() / 1000)
  watch.lap('jwt')
  const question = target.indexOf('?')
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const response = await answer(
    { engine, caches },
    {
      method,
      path: question < 0 ? target : target.slice(0, question),
      search: question < 0 ? '' : target.slice(question + 1),
      headers,
      body: hasBody ? new Uint8Array(await request.arrayBuffer()) : new Uint8Array(),
      caller: {
        schemaName: trusted.schemaName(settings.schemas[0] ?? ''),
        role: trusted.roleName(caller.role),
        claims: caller.claims,
        claimsText: JSON.stringify(caller.claims),
      },
      isAnonymous: caller.isAnonymous,
      settings,
      chosen: chooseSchema(method, headers, settings.schemas),
      signal,
      facts: {},
      onStage: watch.lap,
    },
  )
  if (configuration['server-timing-enabled']) response.headers.set('Server-Timing', watch.header())
  return response
}
