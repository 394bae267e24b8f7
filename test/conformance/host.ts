// The data plane's pipeline on a port, with a group's configuration where the platform has its gate.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { trusted } from '../../emulator/core/names.ts'
import { answer } from '../../emulator/data/answer.ts'
import { DataError, refusalOf, renderRefusal } from '../../emulator/data/errors.ts'
import { RefusedByDatabase } from '../../emulator/data/from-sql-error.ts'
import { chooseSchema } from '../../emulator/data/request/parse-request.ts'
import { createSchemaCaches, type SchemaCaches } from '../../emulator/data/schema-cache/cache.ts'
import type { DataSettings } from '../../emulator/data/settings.ts'
import type { Engine } from '../../emulator/database/engine.ts'
import { callerOf } from './bearer.ts'
import { type Configuration, settingsOf } from './configuration.ts'

export interface ConformanceHost {
  readonly baseUrl: string
  /** What requests are answered with from now on. */
  configure(configuration: Configuration, engine: Engine): void
  close(): Promise<void>
}

interface Setup {
  readonly engine: Engine
  readonly caches: SchemaCaches
  readonly configuration: Configuration
  readonly settings: DataSettings
}

export async function openConformanceHost(): Promise<ConformanceHost> {
  let setup: Setup | undefined
  const listener = getRequestListener(async (request, { incoming }) => {
    if (setup === undefined) return new Response('not configured', { status: 503 })
    const target = ('url' in incoming ? incoming.url : undefined) ?? '/'
    return exposed(request, await respond(setup, request, target))
  })
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    configure: (configuration, engine) => {
      const caches = createSchemaCaches(engine)
      setup = { engine, caches, configuration, settings: settingsOf(configuration) }
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

// The platform's edge does this for all services (CORS).
function exposed(request: Request, response: Response): Response {
  if (!request.headers.has('origin')) return response
  response.headers.set('Access-Control-Allow-Origin', '*')
  response.headers.set('Access-Control-Expose-Headers', EXPOSED)
  return response
}

const EXPOSED =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit'

async function respond(setup: Setup, request: Request, target: string): Promise<Response> {
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
      return new Response('the host failed', { status: 500 })
    }
    const { status, headers, body } = renderRefusal(refusal)
    const isHead = request.method === 'HEAD'
    return new Response(isHead ? null : (body ?? null), { status, headers })
  }
}

function stackOf(error: unknown): unknown {
  return error instanceof Error ? error.stack : error
}

async function answered(
  { engine, caches, configuration, settings }: Setup,
  request: Request,
  target: string,
): Promise<Response> {
  const { method, headers, signal } = request
  const watch = stopwatch()
  const caller = callerOf(configuration, headers.get('authorization'), Date.now() / 1000)
  watch.lap('jwt')
  const question = target.indexOf('?')
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const response = await answer(
    { engine, caches },
    {
      raw: {
        method,
        path: question < 0 ? target : target.slice(0, question),
        search: question < 0 ? '' : target.slice(question + 1),
        headers,
        body: hasBody ? new Uint8Array(await request.arrayBuffer()) : new Uint8Array(),
      },
      actor: {
        schemaName: trusted.schemaName(settings.schemas[0] ?? ''),
        role: trusted.roleName(caller.role),
        isAnonymous: caller.isAnonymous,
        claims: caller.claims,
        claimsText: JSON.stringify(caller.claims),
      },
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

// Every stage is said, also one that a request has no need of.
function stopwatch() {
  const stages = { jwt: 0, parse: 0, plan: 0, transaction: 0, response: 0 }
  let last = performance.now()
  return {
    lap: (stage: keyof typeof stages) => {
      const now = performance.now()
      stages[stage] = now - last
      last = now
    },
    header: () =>
      Object.entries(stages)
        .map(([stage, millis]) => `${stage};dur=${millis.toFixed(1)}`)
        .join(', '),
  }
}
