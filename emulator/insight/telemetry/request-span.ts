// Describes a request as a span with its children, by the semantic conventions of OpenTelemetry for HTTP and databases. Names
// that the conventions lack begin with `tenantry.` (docs/guide/opentelemetry.md lists them). Pure.
import type { AccessChain } from '../../contract/explain.ts'
import { requestRoute } from '../../contract/request-route.ts'
import type { RequestFinished } from '../../core/observation.ts'
import type { Stage } from '../../core/stopwatch.ts'
import { shownText } from '../../platform/secrets/shown-secrets.ts'
import type { FollowedRequest } from './follow-requests.ts'

/** Values of attributes. A member that is `undefined` is not sent. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface DescribedSpan {
  readonly name: string
  readonly kind: 'server' | 'client' | 'internal'
  /** Milliseconds since the Unix epoch, with fractions. */
  readonly start: number
  readonly end: number
  readonly attributes: SpanAttributes
  /** Set when the span failed. */
  readonly failure?: string | undefined
  readonly children: readonly DescribedSpan[]
}

const POSTGRES = 'postgresql'
const SCHEMA_PREFIX = /^proj_/

/** Describes a request of a service, or a turn of the Postgres port. */
export function requestSpan(request: FollowedRequest): DescribedSpan {
  const { arrivedAt, finished, timed } = request
  const stages = timed?.stages ?? []
  // The journal counts whole milliseconds, and the stages have fractions.
  const measured = stages.reduce((sum, { millis }) => sum + millis, 0)
  const start: number = arrivedAt
  const shared = { start, end: start + Math.max(finished.durationMillis, measured) }
  if (finished.service === 'postgres') return turnSpan(request, shared)
  const children = transactionSpans(finished, stages, start)
  return {
    ...shared,
    name: spanName(finished),
    kind: 'server',
    attributes: {
      ...httpAttributes(request),
      ...ownAttributes(finished, request.explanation),
      ...stageAttributes(stages),
      // A request without a measured transaction has no span for its statement.
      ...(children.length === 0 ? statementAttributes(finished) : {}),
    },
    failure: finished.status >= 500 ? (finished.errorMessage ?? '') : undefined,
    children,
  }
}

interface Times {
  readonly start: number
  readonly end: number
}

function turnSpan({ explanation, finished }: FollowedRequest, times: Times): DescribedSpan {
  const { errorCode, errorMessage, facts, method } = finished
  return {
    ...times,
    name: [method, facts.schemaName].filter(Boolean).join(' '),
    kind: 'server',
    attributes: {
      ...statementAttributes(finished),
      'db.system.name': POSTGRES,
      'db.operation.name': method,
      'db.response.status_code': errorCode,
      'error.type': errorCode,
      ...ownAttributes(finished, explanation),
    },
    failure: errorCode === undefined ? undefined : shownText(errorMessage ?? errorCode),
    children: [],
  }
}

/** Name and status of the request for spans and for the metric `http.server.request.duration`. */
export function routeAttributes(finished: RequestFinished): SpanAttributes {
  const { errorCode, method, status } = finished
  return {
    'http.request.method': knownMethod(method),
    'http.route': routeOf(finished),
    'http.response.status_code': status,
    'error.type': status >= 500 ? (errorCode ?? String(status)) : undefined,
    'tenantry.service': finished.service,
    // A name that a refused credential claims is not verified. Callers could make any number of them.
    'tenantry.tenant': finished.facts.isSchemaClaimed === true ? undefined : tenantOf(finished),
  }
}

function httpAttributes({ finished, timed }: FollowedRequest): SpanAttributes {
  const [path, query] = finished.target.split(/\?(.*)/s)
  const { hostname, port, protocol } = timed === undefined ? NO_ADDRESS : new URL(timed.url)
  const method = knownMethod(finished.method)
  return {
    ...routeAttributes(finished),
    'http.request.method_original': method === finished.method ? undefined : finished.method,
    'url.path': path,
    'url.query': query === '' ? undefined : query,
    'url.scheme': protocol?.replace(':', ''),
    'server.address': hostname,
    'server.port': port ? Number(port) : undefined,
    'user_agent.original': timed?.headers.get('user-agent') ?? undefined,
  }
}

const NO_ADDRESS = { hostname: undefined, port: undefined, protocol: undefined }

function ownAttributes(
  { errorCode, errorMessage, facts, requestId, service }: RequestFinished,
  explanation: AccessChain | undefined,
): SpanAttributes {
  const broken = explanation?.links.find(({ state }) => state === 'broken')
  return {
    'tenantry.request_id': requestId,
    'tenantry.service': service,
    'tenantry.tenant': facts.schemaName?.replace(SCHEMA_PREFIX, ''),
    'tenantry.tenant.claimed': facts.isSchemaClaimed,
    'tenantry.group_id': facts.groupId,
    'tenantry.role': facts.role,
    'tenantry.subject': facts.subject,
    'tenantry.credential_kind': facts.credentialKind,
    'tenantry.fault': facts.fault,
    'tenantry.from_inspector': facts.isFromInspector,
    'tenantry.refusal.code': errorCode,
    'tenantry.refusal.message': errorMessage === undefined ? undefined : shownText(errorMessage),
    'tenantry.refusal.check': broken?.link,
    'tenantry.refusal.reason': explanation && shownText(explanation.sentence),
    'tenantry.policy.verdict': broken && (DECIDED.has(broken.link) ? 'refused' : 'not_reached'),
  }
}

/** The checks that policies decide: whether one applies, and what it says of the row. */
const DECIDED: ReadonlySet<string> = new Set(['policy', 'row'])

/** Seconds of each stage, with the names of `Server-Timing`. */
function stageAttributes(stages: readonly Stage[]): SpanAttributes {
  const seconds: Record<string, number> = {}
  for (const { millis, name } of stages) {
    const attribute = `tenantry.stage.${name}`
    seconds[attribute] = (seconds[attribute] ?? 0) + millis / 1_000
  }
  return seconds
}

function statementAttributes({ facts }: RequestFinished): SpanAttributes {
  const { rowCount, schemaName, statement } = facts
  if (statement === undefined) return {}
  return {
    'db.system.name': POSTGRES,
    'db.namespace': schemaName,
    'db.query.text': shownText(statement),
    'db.response.returned_rows': rowCount,
  }
}

const TRANSACTION = 'transaction'
const ENGINE = 'engine'

/** Returns the milliseconds that the request waited for the engine; `undefined` when its transaction was not measured. */
export function queueMillis(stages: readonly Stage[]): number | undefined {
  const transaction = stages.find(({ name }) => name === TRANSACTION)
  return transaction && transaction.millis - engineMillis(transaction)
}

function engineMillis({ millis, parts }: Stage): number {
  const sum = parts.reduce((all, part) => all + (part.name === ENGINE ? part.millis : 0), 0)
  return Math.min(sum, millis)
}

// The stage contains the time in the queue, the time inside Postgres, and the messages between two threads or processes. Only the
// time inside Postgres is measured by itself, so the queue's span contains the messages.
function transactionSpans(
  finished: RequestFinished,
  stages: readonly Stage[],
  start: number,
): readonly DescribedSpan[] {
  const at = stages.findIndex(({ name }) => name === TRANSACTION)
  const transaction = stages[at]
  if (transaction === undefined) return []
  const begun = stages.slice(0, at).reduce((sum, { millis }) => sum + millis, start)
  const end = begun + transaction.millis
  const running = end - engineMillis(transaction)
  const { errorCode, errorMessage, status } = finished
  return [
    { name: 'queue', kind: 'internal', start: begun, end: running, attributes: {}, children: [] },
    {
      name: POSTGRES,
      kind: 'client',
      start: running,
      end,
      attributes: {
        'db.system.name': POSTGRES,
        ...statementAttributes(finished),
        'db.response.status_code': errorCode,
        'error.type': errorCode,
      },
      failure: status >= 400 && errorCode ? shownText(errorMessage ?? errorCode) : undefined,
      children: [],
    },
  ]
}

function spanName(finished: RequestFinished): string {
  const method = knownMethod(finished.method)
  return [method === OTHER_METHOD ? 'HTTP' : method, routeOf(finished)].filter(Boolean).join(' ')
}

// The path of a request that no service took is the caller's own, and would be a route of its own.
function routeOf(finished: RequestFinished): string | undefined {
  if (finished.service === 'edge') return undefined
  return requestRoute(finished).slice(finished.method.length + 1)
}

function tenantOf({ facts }: RequestFinished): string | undefined {
  return facts.schemaName?.replace(SCHEMA_PREFIX, '')
}

const METHODS = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'QUERY',
  'TRACE',
])
const OTHER_METHOD = '_OTHER'

function knownMethod(method: string): string {
  return METHODS.has(method) ? method : OTHER_METHOD
}
