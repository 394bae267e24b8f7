// The outermost layer. Finds the service of a request, renders its errors in the service's own format, adds CORS headers and
// reports the request once. Contains the project's only handler of unexpected errors.
import type { Clock } from '../core/clock.ts'
import { diskFailureOf } from '../core/disk-failure.ts'
import { type EmulatorError, retryableIn } from '../core/errors.ts'
import type { IdSource } from '../core/id-source.ts'
import type { Observer, RequestFacts, ServiceName } from '../core/observation.ts'
import type { Addresses, RenderedError, RequestEnv, ServiceApp } from '../core/request-env.ts'
import type { OpenRecording, RequestRecorder, Wire } from '../core/request-recording.ts'
import { type PreciseClock, startStopwatch, TIMING_HEADER } from '../core/stopwatch.ts'
import { allowReading, isPreflight, preflightHeaders } from './cors.ts'
import { ConnectionLost, doorOf, type FaultGateDeps, throughFaults } from './fault-gate.ts'
import { fileRefusal } from './file-refusal.ts'
import { addressesOf, type MountName, type Route, routeOf } from './hosts.ts'
import { maskSecrets } from './mask-secrets.ts'
import {
  type AdmitsOrigin,
  allowOriginOf,
  isAt,
  isGuardedAt,
  isOwnApiAt,
  isRemote,
} from './origins.ts'
import { elsewhere, foreignOrigin, refuseServiceWorker, unknownPath } from './own-refusals.ts'
import { sayReason } from './reason-phrase.ts'

export interface EdgeDeps {
  readonly mounts: Readonly<Partial<Record<MountName, ServiceApp>>>
  /** Public origin that replaces the caller's address in `url` values. */
  readonly publicUrl: string | undefined
  /** Whether a page may use the management plane. */
  readonly admitsOrigin: AdmitsOrigin
  readonly clock: Clock
  readonly wallClock: Clock
  /** Measures the stages of requests that ask for `Server-Timing`. */
  readonly preciseNow: PreciseClock
  readonly ids: IdSource
  readonly observe: Observer
  /** Records requests, except those of the emulator's own API. */
  readonly recorder?: RequestRecorder
  /** Injects faults. Faults never apply to the emulator's own API. */
  readonly faults?: Pick<FaultGateDeps, 'requests' | 'situations'>
}

/**
 * Answers any request.
 * @param wire the connection of the request, if it has one
 * @param onId called at once with the id under which the request is reported
 * @throws {ConnectionLost} only when an injected fault withholds the answer
 */
export type EdgeFetch = (
  request: Request,
  wire?: Wire,
  onId?: (requestId: string) => void,
) => Promise<Response>

const SERVICE_OF: Readonly<Record<MountName, ServiceName>> = {
  control: 'control',
  auth: 'auth',
  storageToken: 'storage',
  storage: 'storage',
  realtimeToken: 'realtime',
  realtime: 'realtime',
  data: 'data',
  wellKnown: 'edge',
  emulator: 'inspector',
}

export function createEdge(deps: EdgeDeps): EdgeFetch {
  const addresses = rememberAddresses(deps.publicUrl)
  return async (request, wire, onId) => {
    const exchange = open(deps, request, addresses, wire)
    onId?.(exchange.env.requestId)
    const recording = record(deps, exchange, wire)
    const response = await answer(deps, exchange, recording?.request ?? request)
    // Browsers must not guess a content type: tenants choose the bytes of most responses, and the inspector shares the origin.
    response.headers.set('x-content-type-options', 'nosniff')
    if (!isOwnApiAt(exchange.route)) nameRequest(response.headers, exchange.env.requestId)
    addTiming(response.headers, exchange.env)
    report(deps, exchange, response.status)
    if (exchange.lost === undefined) return recording?.answered(response) ?? response
    recording?.answered(withoutBody(response))
    throw exchange.lost
  }
}

interface Exchange {
  readonly request: Request
  readonly url: URL
  readonly route: Route
  readonly env: RequestEnv
  readonly facts: RequestFacts
  readonly receivedAt: ReturnType<Clock['now']>
  readonly startedAt: number
  /** The value of `Access-Control-Allow-Origin`; `undefined` when no other origin may read the answer. */
  readonly allowOrigin: string | undefined
  readonly wire: Wire | undefined
  service: ServiceName
  refusal: RenderedError | undefined
  /** Set when a fault ends the connection without a response. */
  lost: ConnectionLost | undefined
}

/** Most cached origins. The cache needs a limit, because callers choose their Host header. */
const KNOWN_ORIGINS = 100

function rememberAddresses(publicUrl: string | undefined): (origin: string) => Addresses {
  const known = new Map<string, Addresses>()
  return (callerOrigin) => {
    const origin = publicUrl ?? callerOrigin
    const kept = known.get(origin)
    if (kept !== undefined) return kept
    if (known.size >= KNOWN_ORIGINS) known.clear()
    const addresses = addressesOf(origin)
    known.set(origin, addresses)
    return addresses
  }
}

function open(
  deps: EdgeDeps,
  request: Request,
  addresses: (origin: string) => Addresses,
  wire: Wire | undefined,
): Exchange {
  const url = new URL(request.url)
  const facts: RequestFacts = {}
  const route = routeOf(url.host, url.pathname)
  return {
    request,
    url,
    route,
    allowOrigin: allowOriginOf(deps.admitsOrigin, route, request, url),
    env: {
      requestId: deps.ids.id('req_'),
      addresses: addresses(url.origin),
      facts,
      ...(wire === undefined ? {} : { socketBody: wire.incoming }),
      ...(isGuardedAt(route) && isRemote(wire) ? { isRemote: true } : {}),
      ...(request.headers.get(TIMING_HEADER) === '1'
        ? { stopwatch: startStopwatch(deps.preciseNow) }
        : {}),
    },
    facts,
    receivedAt: deps.clock.now(),
    startedAt: deps.wallClock.now(),
    wire,
    service: 'edge',
    refusal: undefined,
    lost: undefined,
  }
}

function record(
  { recorder }: EdgeDeps,
  { request, url, route, env: { requestId } }: Exchange,
  wire: Wire | undefined,
): OpenRecording | undefined {
  if (isOwnApiAt(route)) return undefined
  return recorder?.begin({ requestId, request, target: url.pathname + url.search, wire })
}

async function answer(deps: EdgeDeps, exchange: Exchange, request: Request): Promise<Response> {
  const { url, route, env, allowOrigin } = exchange
  const origin = request.headers.get('origin')
  if (isAt(route, 'control') && origin !== null && allowOrigin === undefined) {
    exchange.service = 'control'
    return finish(exchange, foreignOrigin(origin))
  }
  if (allowOrigin !== undefined && isPreflight(request.method, request.headers))
    return new Response(null, {
      status: 204,
      headers: preflightHeaders(request.headers, allowOrigin),
    })
  const unwanted = refuseServiceWorker(request.headers)
  if (unwanted !== undefined) return finish(exchange, unwanted)
  if (route.kind === 'elsewhere') return finish(exchange, elsewhere(env, route.belongsTo))
  const app = route.kind === 'mount' ? deps.mounts[route.mount] : undefined
  if (route.kind === 'nothing' || app === undefined)
    return finish(exchange, unknownPath(url.pathname, env))
  exchange.service = SERVICE_OF[route.mount]
  try {
    env.stopwatch?.lap('receive')
    const serve = () => app.fetch(withPath(request, url, route.path), env)
    const response = await (deps.faults?.requests.isArmed === true
      ? faced(deps, exchange, route, serve)
      : serve())
    if (allowOrigin !== undefined) allowReading(response.headers, allowOrigin)
    return response
  } catch (error) {
    if (error instanceof ConnectionLost) return finish(exchange, error.told)
    if (hasLeft(exchange)) return finish(exchange, CLIENT_CLOSED)
    return finish(exchange, render(deps, env, app, error))
  }
}

// Callers find the journal entry of a response by this id. A response that already has an `x-request-id` keeps it.
function nameRequest(headers: Headers, requestId: string): void {
  if (!headers.has('x-request-id')) headers.set('x-request-id', requestId)
}

// The last stage has no name of its own in the service: it ends when the edge has the response.
function addTiming(headers: Headers, { stopwatch }: RequestEnv): void {
  if (stopwatch === undefined) return
  stopwatch.lap('finish')
  headers.append('server-timing', stopwatch.header())
}

async function faced(
  { faults, wallClock }: EdgeDeps,
  exchange: Exchange,
  route: Route & { readonly kind: 'mount' },
  serve: () => Response | Promise<Response>,
): Promise<Response> {
  const door = doorOf(route.mount)
  if (faults === undefined || door === undefined) return serve()
  const { request, url, env } = exchange
  const { method, headers } = request
  const facing = {
    requestId: env.requestId,
    door,
    method,
    path: route.path,
    target: url.pathname + url.search,
    headers,
  }
  return throughFaults({ ...faults, wallClock }, facing, exchange, serve)
}

// Cancels a body that will not be sent, so that its source stops.
function withoutBody(response: Response): Response {
  response.body?.cancel().catch(() => undefined)
  return new Response(null, { status: response.status, headers: response.headers })
}

// Creates a new Request, because the URL of a Request is immutable. Only paths below `/rest/v1` need a new Request.
function withPath(request: Request, url: URL, path: string): Request {
  if (path === url.pathname) return request
  return new Request(new URL(path + url.search, url.origin), request)
}

function finish(exchange: Exchange, refusal: RenderedError): Response {
  exchange.refusal = refusal
  const response = new Response(
    exchange.request.method === 'HEAD' ? null : (refusal.body ?? null),
    {
      status: refusal.status,
      headers: refusal.headers,
      ...(refusal.reason === undefined ? {} : { statusText: refusal.reason }),
    },
  )
  if (refusal.reason !== undefined) sayReason(response, refusal.reason)
  if (exchange.allowOrigin !== undefined) allowReading(response.headers, exchange.allowOrigin)
  return response
}

function render(deps: EdgeDeps, env: RequestEnv, app: ServiceApp, error: unknown): RenderedError {
  const retryable = retryableIn(error)
  const own = refusalOf(app, error)
  if (retryable === undefined) return own ?? internal(deps, env, app, error)
  return withRetryAfter(own ?? app.renderUnavailable(retryable), retryable)
}

function withRetryAfter(
  rendered: RenderedError,
  { retryAfterSeconds }: EmulatorError,
): RenderedError {
  if (rendered.status !== 503 || retryAfterSeconds === undefined) return rendered
  return { ...rendered, headers: { ...rendered.headers, 'retry-after': String(retryAfterSeconds) } }
}

/** Builds the journal entry of a request whose client disconnected. nginx also uses this status, which no client receives. */
const CLIENT_CLOSED: RenderedError = {
  status: 499,
  headers: {},
  code: 'client_closed',
  message: 'The client closed the connection before it had sent the whole request.',
}

// The client disconnected before its body was complete. Errors that the service then throws are caused by the client.
function hasLeft({ wire }: Exchange): boolean {
  return wire !== undefined && wire.incoming.complete === false && wire.outgoing.destroyed
}

// Any request can fail on a full disk. Each service renders a disk failure in its own format.
function refusalOf(app: ServiceApp, error: unknown): RenderedError | undefined {
  const refusal = app.renderError(error)
  if (refusal !== undefined) return refusal
  const failure = diskFailureOf(error)
  return failure === undefined ? undefined : app.renderError(failure)
}

function internal(deps: EdgeDeps, env: RequestEnv, app: ServiceApp, error: unknown): RenderedError {
  deps.observe({ kind: 'internalFailure', requestId: env.requestId, error })
  return app.renderInternal(env.requestId)
}

function report(deps: EdgeDeps, exchange: Exchange, status: number): void {
  const { request, url, env, lost } = exchange
  const refusal = exchange.refusal ?? lost?.told
  const target = url.pathname + url.search
  fileRefusal(env.facts, { status, headers: request.headers, target })
  deps.observe({
    kind: 'requestFinished',
    requestId: env.requestId,
    service: exchange.service,
    method: request.method,
    target: maskSecrets(target),
    status,
    receivedAt: exchange.receivedAt,
    durationMillis: deps.wallClock.now() - exchange.startedAt,
    facts: env.facts,
    ...(refusal === undefined ? {} : { errorCode: refusal.code, errorMessage: refusal.message }),
  })
}
