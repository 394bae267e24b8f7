// What the edge knows about one request: the route, the addresses, and the facts to report.

import { INSPECTOR_MARK } from '../contract/operation.ts'
import type { Clock } from '../core/clock.ts'
import type { HeaderReader } from '../core/headers.ts'
import type { IdSource } from '../core/id-source.ts'
import type { Observer, RequestFacts, ServiceName } from '../core/observation.ts'
import { PlainRequest, type Wire } from '../core/plain-http.ts'
import type { Addresses, RenderedError, RequestEnv } from '../core/request-env.ts'
import type { RequestRecorder } from '../core/request-recording.ts'
import { type PreciseClock, startStopwatch, TIMING_HEADER } from '../core/stopwatch.ts'
import { claimedSchemaOf } from '../platform/credentials/unverified-claims.ts'
import { shownTarget } from '../platform/secrets/shown-secrets.ts'
import type { ConnectionLost } from './fault-gate.ts'
import { addressesOf, type Route, routeOf } from './hosts.ts'
import { type AdmitsOrigin, allowOriginOf, isGuardedAt, isOwnApiAt, isRemote } from './web-pages.ts'

export interface ExchangeDeps {
  /** Public origin that replaces the caller's address in `url` values. */
  readonly publicUrl: string | undefined
  /** Whether a page may use the management plane. */
  readonly admitsOrigin: AdmitsOrigin
  readonly clock: Clock
  readonly wallClock: Clock
  /** Measures the stages of requests that ask for `Server-Timing`, and of those that `recorder` wants measured. */
  readonly preciseNow: PreciseClock
  readonly recorder?: Pick<RequestRecorder, 'timesRequests'>
  readonly observe: Observer
  readonly ids: IdSource
}

export interface Exchange {
  readonly request: PlainRequest
  readonly route: Route
  readonly env: RequestEnv
  readonly facts: RequestFacts
  readonly receivedAt: ReturnType<Clock['now']>
  readonly startedAt: number
  /** Whether the answer has the header `Server-Timing`. */
  readonly asksTiming: boolean
  /** The value of `Access-Control-Allow-Origin`; `undefined` when no other origin may read the answer. */
  readonly allowOrigin: string | undefined
  readonly wire: Wire | undefined
  service: ServiceName
  refusal: RenderedError | undefined
  /** Set when a fault ends the connection without a response. */
  lost: ConnectionLost | undefined
}

/** Returns the function that opens the exchange of a request. */
export function openExchanges(
  deps: ExchangeDeps,
): (source: Request, wire: Wire | undefined) => Exchange {
  const addresses = rememberAddresses(deps.publicUrl)
  return (source, wire) => {
    const request = new PlainRequest(source, wire)
    const facts: RequestFacts = {}
    const route = routeOf(request.host, request.path)
    const asksTiming = request.headers.get(TIMING_HEADER) === '1'
    const isTimed = asksTiming || (deps.recorder?.timesRequests === true && !isOwnApiAt(route))
    return {
      request,
      route,
      asksTiming,
      allowOrigin: allowOriginOf(deps.admitsOrigin, route, request),
      env: {
        requestId: deps.ids.id('req_'),
        addresses: addresses(request.origin),
        facts,
        ...(wire === undefined ? {} : { socketBody: wire.incoming }),
        ...(isGuardedAt(route) && isRemote(wire) ? { isRemote: true } : {}),
        ...(isTimed ? { stopwatch: startStopwatch(deps.preciseNow) } : {}),
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
}

/** Maximum number of cached origins. The cache needs a limit, because callers choose the Host header. */
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

/** Reports a request whose answer has `status`. */
export function reportExchange(
  deps: Pick<ExchangeDeps, 'observe' | 'wallClock'>,
  exchange: Exchange,
  status: number,
): void {
  const { request, env, lost } = exchange
  const refusal = exchange.refusal ?? lost?.told
  const { target } = request
  fileRefusal(env.facts, { status, headers: request.headers, target })
  if (request.headers.get(INSPECTOR_MARK) === '1') env.facts.isFromInspector = true
  deps.observe({
    kind: 'requestFinished',
    requestId: env.requestId,
    service: exchange.service,
    method: request.method,
    target: shownTarget(target),
    status,
    receivedAt: exchange.receivedAt,
    durationMillis: deps.wallClock.now() - exchange.startedAt,
    facts: env.facts,
    ...(refusal === undefined ? {} : { errorCode: refusal.code, errorMessage: refusal.message }),
  })
}

/**
 * Assigns a refused request to the tenant that its credential names, so that the tenant's own journal shows it. Services record
 * the tenant only after they have verified the credential.
 */
export function fileRefusal(facts: RequestFacts, { status, headers, target }: Refused): void {
  if (status < 400 || facts.schemaName !== undefined || facts.groupId !== undefined) return
  const schemaName = claimedSchemaOf(headers, target)
  if (schemaName !== undefined) Object.assign(facts, { schemaName, isSchemaClaimed: true })
}

interface Refused {
  readonly status: number
  readonly headers: HeaderReader
  /** Path and query of the request, secrets included. */
  readonly target: string
}
