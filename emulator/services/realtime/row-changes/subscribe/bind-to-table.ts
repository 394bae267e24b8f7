// Binds a request to one table. Checks the request's columns and values, and refuses invalid ones with upstream's texts
// (docs/wire/realtime.md#subscription-errors).

import type {
  RowChange,
  WatchedColumn,
  WatchedTable,
} from '../../../../database/changes/row-change.ts'
import { type Engine, SqlError } from '../../../../database/engine.ts'
import { type Role, readValues, type TypedCondition } from '../match/ask-postgres.ts'
import {
  type BoundCondition,
  bindCondition,
  type Match,
  matchConditions,
} from '../match/match-row.ts'
import type { Condition } from './change-filter.ts'
import { type ChangeRequest, describeRequest, SubscriptionError } from './change-request.ts'

/** A request whose columns and values fit a table. */
export interface BoundRequest {
  readonly request: ChangeRequest
  readonly table: WatchedTable
  readonly conditions: readonly BoundCondition[]
}

const MAX_VALUES = 100
const MAX_CONDITIONS = 100

/**
 * Binds the request to a table, with the privileges of a role.
 * @throws {SubscriptionError} request_refused
 * @throws {SqlError} when the engine is busy or not running
 */
export async function bindRequest(
  engine: Engine,
  request: ChangeRequest,
  table: WatchedTable,
  role: Role,
): Promise<BoundRequest> {
  const columns = new Map(
    table.columns.flatMap((column, place) =>
      column.readers.has(role) ? [[column.name, { column, place }] as const] : [],
    ),
  )
  const fail = (reason: string) => refused(request, 'P0001', reason)
  if (request.conditions.length > MAX_CONDITIONS)
    throw fail(`too many conditions in a filter. Maximum ${MAX_CONDITIONS}`)
  const found = request.conditions.map((condition) => {
    const place = columns.get(condition.column)
    if (place === undefined) throw fail(`invalid column for filter ${condition.column}`)
    const flaw = operandFlaw(condition, place.column)
    if (flaw !== undefined) throw fail(flaw)
    return { condition, place: place.place, sqlType: place.column.sqlType }
  })
  for (const name of request.select ?? [])
    if (!columns.has(name)) throw fail(`invalid column for select ${name}`)
  const conditions = await bindConditions(engine, request, table, role, found)
  return { request, table, conditions }
}

/** Whether the event type and the row match the request. */
export function matchRequest({ request, conditions }: BoundRequest, change: RowChange): Match {
  if (request.event !== '*' && request.event !== change.kind) return false
  return matchConditions(change, conditions)
}

/** Creates the refusal of a request for a table that does not exist or is not captured. */
export function unavailable(request: ChangeRequest, explanation: string): SubscriptionError {
  return new SubscriptionError(
    'table_unavailable',
    `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${describeRequest(request)}]${explanation}`,
  )
}

const KEYWORDS: ReadonlySet<string> = new Set(['null', 'true', 'false', 'unknown'])

function operandFlaw(
  { operator, value }: Condition,
  { sqlType }: WatchedColumn,
): string | undefined {
  if (operator !== 'is') return undefined
  if (!KEYWORDS.has(value))
    return 'invalid value for is filter: must be null, true, false, or unknown'
  return value === 'null' || sqlType === 'boolean'
    ? undefined
    : `is ${value} filter requires a boolean column, got ${sqlType}`
}

interface FoundCondition extends TypedCondition {
  readonly place: number
}

async function bindConditions(
  engine: Engine,
  request: ChangeRequest,
  table: WatchedTable,
  role: Role,
  found: readonly FoundCondition[],
): Promise<readonly BoundCondition[]> {
  const asked = found.filter(({ condition }) => condition.operator !== 'is')
  const values = await readValues(engine, table, role, asked).catch((error: unknown) => {
    throw valueError(request, asked, error)
  })
  const canonical = new Map(asked.map((each, index) => [each, values[index] ?? []]))
  return found.map((each) => {
    const texts = canonical.get(each) ?? []
    if (texts.length > MAX_VALUES && each.condition.operator === 'in')
      throw refused(request, 'P0001', `too many values for \`in\` filter. Maximum ${MAX_VALUES}`)
    return bindCondition(each.condition, each, texts)
  })
}

const NO_OPERATOR = '42883'
const BAD_REGEX = '2201B'
const PATTERNS: ReadonlySet<string> = new Set(['like', 'ilike', 'match', 'imatch'])

// The request causes errors of these SQLSTATE classes: data exceptions, constraints of domains, syntax, privileges, and errors
// that a tenant's function raises. Other errors come from the engine and may be temporary.
const OF_THE_REQUEST = /^(22|23|42|P0)/

function valueError(
  request: ChangeRequest,
  asked: readonly FoundCondition[],
  error: unknown,
): unknown {
  if (!(error instanceof SqlError) || !OF_THE_REQUEST.test(error.code)) return error
  const pattern = asked.find(({ condition }) => PATTERNS.has(condition.operator))
  if (pattern !== undefined && error.code === NO_OPERATOR) {
    const { condition, sqlType } = pattern
    const reason = `operator ${condition.operator} requires a text-compatible column type, got ${sqlType}`
    return refused(request, 'P0001', reason)
  }
  if (pattern !== undefined && error.code === BAD_REGEX) {
    const reason = `invalid regular expression for ${pattern.condition.operator} filter: ${error.message}`
    return refused(request, 'P0001', reason)
  }
  return refused(request, error.code, error.message)
}

// Parsing a value can raise these errors. PostgreSQL's manual names the errors in Appendix A.
const CONDITION_NAMES: Readonly<Record<string, string>> = {
  P0001: 'raise_exception',
  '22P02': 'invalid_text_representation',
  '22P03': 'invalid_binary_representation',
  '22001': 'string_data_right_truncation',
  '22003': 'numeric_value_out_of_range',
  '22007': 'invalid_datetime_format',
  '22008': 'datetime_field_overflow',
  '22009': 'invalid_time_zone_displacement_value',
  '22025': 'invalid_escape_sequence',
  '2202E': 'array_subscript_error',
  '22021': 'character_not_in_repertoire',
  '23502': 'not_null_violation',
  '23514': 'check_violation',
  '42501': 'insufficient_privilege',
  '42704': 'undefined_object',
  '42883': 'undefined_function',
}

function refused(request: ChangeRequest, code: string, message: string): SubscriptionError {
  const name = CONDITION_NAMES[code] ?? 'error'
  return new SubscriptionError(
    'request_refused',
    `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [${describeRequest(request)}]. Exception: ERROR ${code} (${name}) ${message}`,
  )
}
