// The outermost layer. Finds the service of a request, renders its errors in the service's own format, adds CORS headers and
// reports the request once. Contains the project's only handler of unexpected errors.

import { INSPECTOR_MARK } from '../contract/operation.ts'
import { diskFailureOf } from '../core/disk-failure.ts'
import { type EmulatorError, retryableIn } from '../core/errors.ts'
import { HeaderList, type HeaderWriter } from '../core/headers.ts'
import type { ServiceName } from '../core/observation.ts'
import { Answer, PlainRequest, type Reply, toResponse, type Wire } from '../core/plain-http.ts'
import type { RenderedError, RequestEnv, ServiceApp } from '../core/request-env.ts'
import type { OpenRecording, RequestRecorder } from '../core/request-recording.ts'
import type { Stage } from '../core/stopwatch.ts'
import { toDate } from '../core/time.ts'
import { type Exchange, type ExchangeDeps, openExchanges, reportExchange } from './exchange.ts'
import { ConnectionLost, doorOf, type FaultGateDeps, throughFaults } from './fault-gate.ts'
import type { MountName, Route } from './hosts.ts'
import { elsewhere, foreignOrigin, serviceWorkerRefused, unknownPath } from './own-refusals.ts'
import {
  allowReading,
  isAt,
  isOwnApiAt,
  isPreflight,
  isServiceWorker,
  preflightHeaders,
} from './web-pages.ts'

export interface EdgeDeps extends ExchangeDeps {
  readonly mounts: Readonly<Partial<Record<MountName, ServiceApp>>>
  /** Records requests, except those of the emulator's own API. */
  readonly recorder?: RequestRecorder
  /** Injects faults. Faults never apply to the emulator's own API. */
  readonly faults?: Pick<FaultGateDeps, 'requests' | 'situations'>
  /** Runs a request of the inspector. Tokens that the request mints are not listed as coming expiries. */
  readonly quietly?: <Result>(work: () => Result) => Result
}

/**
 * Answers any request.
 * @param wire the connection of the request, if it has one
 * @param onId called at once with the id under which the request is reported
 * @throws {ConnectionLost} only when an injected fault withholds the answer
 */
export type Edge = (
  request: Request,
  wire?: Wire,
  onId?: (requestId: string) => void,
) => Promise<Served>

/** An answer to send. */
export interface Served {
  readonly reply: Reply
  /** Reports the request. Call this function once, as soon as the caller no longer waits for it. */
  readonly report: () => void
}

/** Returns the edge as a function from `Request` to `Response`, for callers without a socket. */
export function asFetch(edge: Edge): (request: Request) => Promise<Response> {
  return async (request) => {
    const { reply, report } = await edge(request)
    report()
    return toResponse(reply)
  }
}

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

export function createEdge(deps: EdgeDeps): Edge {
  const open = openExchanges(deps)
  return async (source, wire, onId) => {
    const exchange = open(source, wire)
    onId?.(exchange.env.requestId)
    const recording = record(deps, exchange, source)
    const reply = await answer(deps, exchange, recorded(exchange, source, recording))
    // Browsers must not guess a content type: tenants choose the bytes of most responses, and the inspector shares the origin.
    reply.headers.set('x-content-type-options', 'nosniff')
    if (!isOwnApiAt(exchange.route)) {
      nameRequest(reply.headers, exchange.env.requestId)
      reply.headers.set('date', toDate(deps.clock.now()).toUTCString())
    }
    const stages = endTiming(reply.headers, exchange)
    const { status } = reply
    if (exchange.lost === undefined)
      return {
        reply: recording?.answered(reply, stages) ?? reply,
        report: () => reportExchange(deps, exchange, status),
      }
    reportExchange(deps, exchange, status)
    recording?.answered(withoutBody(reply), stages)
    throw exchange.lost
  }
}

function record(
  { recorder }: EdgeDeps,
  { request: { target }, route, env: { requestId }, wire }: Exchange,
  request: Request,
): OpenRecording | undefined {
  if (isOwnApiAt(route)) return undefined
  return recorder?.begin({ requestId, request, target, wire })
}

// Without a socket, recording replaces the request by a copy. The service must read that copy.
function recorded(
  { request, wire }: Exchange,
  source: Request,
  recording: OpenRecording | undefined,
): PlainRequest {
  const isSame = recording === undefined || recording.request === source
  return isSame ? request : new PlainRequest(recording.request, wire)
}

async function answer(deps: EdgeDeps, exchange: Exchange, request: PlainRequest): Promise<Reply> {
  const { route, env, allowOrigin } = exchange
  const origin = request.headers.get('origin')
  if (isAt(route, 'control') && origin !== null && allowOrigin === undefined) {
    exchange.service = 'control'
    return finish(exchange, foreignOrigin(origin))
  }
  if (allowOrigin !== undefined && isPreflight(request.method, request.headers))
    return new Answer(204, preflightHeaders(request.headers, allowOrigin))
  if (isServiceWorker(request.headers)) return finish(exchange, serviceWorkerRefused())
  if (route.kind === 'elsewhere') return finish(exchange, elsewhere(env, route.belongsTo))
  const app = route.kind === 'mount' ? deps.mounts[route.mount] : undefined
  if (route.kind === 'nothing' || app === undefined)
    return finish(exchange, unknownPath(request.path, env))
  exchange.service = SERVICE_OF[route.mount]
  try {
    env.stopwatch?.lap('receive')
    const respond = () => app.answer(request.withPath(route.path), env)
    const { quietly } = deps
    const isQuiet = quietly !== undefined && servesInspector(exchange)
    const serve = isQuiet ? () => quietly(respond) : respond
    const reply = await (deps.faults?.requests.isArmed === true
      ? faced(deps, exchange, route, serve)
      : serve())
    if (allowOrigin !== undefined) allowReading(reply.headers, allowOrigin)
    return reply
  } catch (error) {
    if (error instanceof ConnectionLost) return finish(exchange, error.told)
    if (hasLeft(exchange)) return finish(exchange, CLIENT_CLOSED)
    const refusal = render(deps, env, app, error)
    return finish(exchange, wasAbandoned(exchange, refusal) ? ABANDONED : refusal)
  }
}

// Returns whether the inspector sent the request, or the request reads the emulator's own API, which issues no token for the
// caller.
function servesInspector({ request: { headers, method }, route }: Exchange): boolean {
  return headers.get(INSPECTOR_MARK) === '1' || (method === 'GET' && isAt(route, 'emulator'))
}

// Callers find the journal entry of a response by this id. An `x-request-id` that the service set is kept.
function nameRequest(headers: HeaderWriter, requestId: string): void {
  if (!headers.has('x-request-id')) headers.set('x-request-id', requestId)
}

// The service does not end its last stage itself. The stage ends when the edge gets the response.
function endTiming(
  headers: HeaderWriter,
  { env: { stopwatch }, asksTiming }: Exchange,
): readonly Stage[] | undefined {
  if (stopwatch === undefined) return undefined
  stopwatch.lap('finish')
  if (asksTiming) headers.append('server-timing', stopwatch.header())
  return stopwatch.stages
}

async function faced(
  { faults, wallClock }: EdgeDeps,
  exchange: Exchange,
  route: Route & { readonly kind: 'mount' },
  serve: () => Reply | Promise<Reply>,
): Promise<Reply> {
  const door = doorOf(route.mount)
  if (faults === undefined || door === undefined) return serve()
  const { method, target, headers } = exchange.request
  const { requestId } = exchange.env
  const facing = { requestId, door, method, path: route.path, target, headers }
  return throughFaults({ ...faults, wallClock }, facing, exchange, serve)
}

// Cancels a body that will not be sent, so that its source stops.
function withoutBody(reply: Reply): Answer {
  if (!(reply instanceof Answer)) reply.body?.cancel().catch(() => undefined)
  return new Answer(reply.status, new HeaderList(reply.headers))
}

function finish(exchange: Exchange, refusal: RenderedError): Answer {
  exchange.refusal = refusal
  const { status, headers, body, reason } = refusal
  const isHead = exchange.request.method === 'HEAD'
  const answer = new Answer(status, headers, isHead ? undefined : body, reason)
  if (exchange.allowOrigin !== undefined) allowReading(answer.headers, exchange.allowOrigin)
  return answer
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

/** Builds the journal entry of a request whose client disconnected. No client receives this status, which nginx also uses. */
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

/** Builds the journal entry of a request whose work was cancelled because its client disconnected. */
const ABANDONED: RenderedError = {
  ...CLIENT_CLOSED,
  message:
    'The client closed the connection before it had the answer. The statement was cancelled.',
}
const CANCELLED = '57014'

function wasAbandoned({ wire }: Exchange, { code }: RenderedError): boolean {
  return code === CANCELLED && wire?.outgoing.destroyed === true
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
