// Decodes a request of `config.postgres_changes`, and creates its refusals in upstream's format
// (docs/wire/realtime.md#changes). Pure.

import { EmulatorError, type ErrorFacts } from '../../../../core/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/json.ts'
import type { ChangeKind } from '../../../../database/changes/row-change.ts'
import { type Condition, parseFilter } from './change-filter.ts'

export interface ChangeRequest {
  readonly event: ChangeKind | '*'
  /** `*` means all schemas. */
  readonly schema: string
  /** `*` means all tables. */
  readonly table: string
  readonly conditions: readonly Condition[]
  /** Columns to send in addition to the key (default: all columns). */
  readonly select?: readonly string[]
}

/** Decodes a request. @throws {SubscriptionError} malformed_request */
export function parseChangeRequest(request: JsonObject): ChangeRequest {
  const select = parseSelect(request['select'])
  const { schema, table } = parsePlace(request)
  const isWildcard = schema === '*' || table === '*'
  if (select !== undefined && isWildcard)
    throw new SubscriptionError('malformed_request', NO_WILDCARD)
  return {
    event: parseEvent(request['event']),
    schema,
    table,
    conditions: parseConditions(request['filter']),
    ...(select === undefined ? {} : { select }),
  }
}

const NO_WILDCARD =
  'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.'
const NO_LIST =
  'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]'
const NO_PLACE =
  'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: '

// `schema` alone means all tables of the schema. `table` alone means a table of `public`. A filter requires both.
function parsePlace(request: JsonObject): { readonly schema: string; readonly table: string } {
  const { schema, table, filter } = request
  const isPlain = filter === undefined
  if (
    typeof schema === 'string' &&
    typeof table === 'string' &&
    (isPlain || typeof filter === 'string')
  )
    return { schema, table }
  if (typeof schema === 'string' && table === undefined && isPlain) return { schema, table: '*' }
  if (typeof table === 'string' && schema === undefined && isPlain)
    return { schema: 'public', table }
  const isSecret = 'user_token' in request || 'auth_token' in request
  throw new SubscriptionError(
    'malformed_request',
    NO_PLACE + (isSecret ? '<redacted>' : inspect(request)),
  )
}

function parseEvent(event: JsonValue | undefined): ChangeRequest['event'] {
  const name = typeof event === 'string' ? event.toUpperCase() : '*'
  return name === 'INSERT' || name === 'UPDATE' || name === 'DELETE' ? name : '*'
}

function parseConditions(filter: JsonValue | undefined): readonly Condition[] {
  if (typeof filter !== 'string') return []
  const parsed = parseFilter(filter)
  if (parsed.kind === 'conditions') return parsed.conditions
  throw new SubscriptionError(
    'malformed_request',
    `Error parsing \`filter\` params: ${parsed.reason}`,
  )
}

function parseSelect(select: JsonValue | undefined): readonly string[] | undefined {
  if (typeof select === 'string') throw new SubscriptionError('malformed_request', NO_LIST)
  if (!Array.isArray(select)) return undefined
  const columns = select.filter((column) => typeof column === 'string')
  return columns.length === 0 ? undefined : columns
}

/** Formats a value in Elixir syntax, as upstream does: `%{"event" => "*"}`. */
function inspect(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(inspect).join(', ')}]`
  if (!isJsonObject(value)) return value === null ? 'nil' : JSON.stringify(value)
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)} => ${inspect(member ?? null)}`)
  return `%{${members.join(', ')}}`
}

/** Formats the request as upstream's refusals do: `event: INSERT, schema: public, table: x, filters: [], select: nil`. */
export function describeRequest({
  event,
  schema,
  table,
  conditions,
  select,
}: ChangeRequest): string {
  const filters = conditions.map(({ column, operator, value, isNegated }) => {
    const texts = [column, operator, value].map((text) => JSON.stringify(text))
    return `{${texts.join(', ')}, ${isNegated}}`
  })
  const columns = select === undefined ? 'nil' : inspect(select)
  return `event: ${event}, schema: ${schema}, table: ${table}, filters: [${filters.join(', ')}], select: ${columns}`
}

/** Reasons to refuse a subscription (docs/wire/realtime.md#subscription-errors). */
export type SubscriptionErrorCode =
  /** The request is malformed. */
  | 'malformed_request'
  /** The table does not exist or has no row-level security. */
  | 'table_unavailable'
  /** A column or value does not fit the table. */
  | 'request_refused'

/** A refusal that is sent to the client as a `system` message. The channel stays joined. */
export class SubscriptionError extends EmulatorError {
  override readonly code: SubscriptionErrorCode

  constructor(code: SubscriptionErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts)
    this.code = code
  }
}
