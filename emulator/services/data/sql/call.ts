// Compiles function calls. Named arguments come from the query string or the body; a single unnamed parameter takes the whole
// body (PostgREST, "Functions as RPC"). Pure; never throws.
import { join, type Sql, sql, verbatim } from '../../../database/sql.ts'
import type { ArgumentValue, CallPlan } from '../plan/plan.ts'
import type { Payload } from '../request/api-request.ts'
import type { RoutineParameter } from '../schema-cache/schema-cache.ts'
import { columnOf, local, quoted, sourceName } from './fragments.ts'
import { fromBody } from './json-body.ts'
import { arrayLiteral } from './predicate.ts'

const CALL = local('pgrst_call')
const NO_ARGUMENTS = sql``

/** Compiles a select of the rows that the function returns. */
export function compileCall(plan: CallPlan): Sql {
  return sql`select ${returnedColumns(plan)} ${fromCall(plan)}`
}

function returnedColumns(plan: CallPlan): Sql {
  if (plan.returnsScalar) return sql`pgrst_call.pgrst_scalar`
  if (plan.returning.length === 0) return sql`*`
  if (plan.returning.includes('*')) return columnOf(CALL, '*')
  const columns = [...new Set([...plan.returning, ...plan.filterColumns])].sort()
  return join(columns.map((name) => columnOf(CALL, name)))
}

function fromCall(plan: CallPlan): Sql {
  const { parameters } = plan
  if (parameters.kind === 'unnamed')
    return sql`from ${called(plan, wholeBody(plan, parameters.parameter))}`
  if (parameters.list.length === 0) return sql`from ${called(plan, NO_ARGUMENTS)}`
  if (plan.arguments.kind === 'direct') {
    const { values } = plan.arguments
    const given = parameters.list.map((parameter) => direct(parameter, values.get(parameter.name)))
    return sql`from ${called(plan, join(given))}`
  }
  const fields = parameters.list.map(({ name, looseType }) => ({
    name,
    type: looseType,
    transform: undefined,
    defaultExpression: undefined,
  }))
  const rows = fromBody(textOf(plan.arguments.payload), fields, {
    appliesDefaults: false,
    isSingle: true,
  })
  const given = parameters.list.map(
    ({ name, isVariadic }) =>
      sql`${isVariadic ? sql`variadic ` : sql``}${quoted(name)} := ${columnOf(local('pgrst_body'), name)}`,
  )
  return sql`${rows}, lateral ${called(plan, join(given))}`
}

function called(plan: CallPlan, given: Sql): Sql {
  const call = sql`${sourceName(plan.routine)}(${given})`
  return plan.returnsScalar
    ? sql`(select ${call} as pgrst_scalar) pgrst_call`
    : sql`${call} pgrst_call`
}

function direct(parameter: RoutineParameter, given: ArgumentValue | undefined): Sql {
  const type = verbatim(parameter.looseType)
  const name = quoted(parameter.name)
  if (given === undefined) return sql`${name} := null::${type}`
  if (given.kind === 'one')
    return sql`${parameter.isVariadic ? sql`variadic ` : sql``}${name} := ${given.value}::${type}`
  return sql`variadic ${name} := ${arrayLiteral(given.values)}::${type}`
}

// The body is passed as hexadecimal text, which Postgres can read as bytea.
function wholeBody(plan: CallPlan, parameter: RoutineParameter): Sql {
  const given = plan.arguments
  const type = verbatim(parameter.type)
  if (given.kind === 'direct')
    return sql`${JSON.stringify(Object.fromEntries([...given.values].map(plain)))}::${type}`
  if (given.payload?.kind === 'raw' && parameter.type === 'bytea')
    return sql`${`\\x${Buffer.from(given.payload.bytes).toString('hex')}`}::bytea`
  return sql`${textOf(given.payload)}::${type}`
}

function plain([name, value]: readonly [string, ArgumentValue]): [
  string,
  string | readonly string[],
] {
  return [name, value.kind === 'one' ? value.value : value.values]
}

// Keeps a byte order mark, because it is part of the argument.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function textOf(payload: Payload | undefined): string {
  if (payload?.kind === 'raw') return decoder.decode(payload.bytes)
  return payload !== undefined && 'text' in payload ? payload.text : '{}'
}
