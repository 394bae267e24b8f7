// Asks Postgres about filters: whether a value fits its column, and the value's canonical text. Postgres also decides
// comparisons that texts cannot decide (enums, regular expressions, tenants' own types). The queries run as the subscriber's
// role, restricted to the project.
import { searchPathOf } from '../../../../database/as-principal.ts'
import type { RowChange, WatchedTable } from '../../../../database/changes/row-change.ts'
import { cellText, type Engine, SqlError } from '../../../../database/engine.ts'
import { type Sql, sql, verbatim } from '../../../../database/sql.ts'
import type { Identity } from '../judge/verdict.ts'
import type { Condition, FilterOperator } from '../subscribe/change-filter.ts'
import type { BoundCondition } from './match-row.ts'

export type Role = Identity['role']

/** Time limit in wall-clock milliseconds for all values of a request, or for all undecided comparisons of one kind. */
const TIME_LIMIT_MILLIS = 2_000

/** A condition and the type of its column. */
export interface TypedCondition {
  readonly condition: Condition
  readonly sqlType: string
}

/**
 * Parses each value as its type and checks that the operator accepts it.
 * @returns the canonical text of each condition's value, or of the elements of its list
 * @throws {SqlError} Postgres's error for a value or operator that does not fit
 */
export async function readValues(
  engine: Engine,
  table: WatchedTable,
  role: Role,
  conditions: readonly TypedCondition[],
): Promise<readonly (readonly (string | null)[])[]> {
  if (conditions.length === 0) return []
  const { results } = await engine.run({
    actor: { schemaName: table.schemaName, role },
    settings: settingsOf(table),
    mode: 'readOnly',
    statements: conditions.map(readingOf),
    end: 'rollback',
    timeoutMillis: TIME_LIMIT_MILLIS,
  })
  return results.map(({ rows }) => rows.map(([cell]) => cellText(cell) ?? null))
}

// The capture uses the same settings, so that texts are comparable (tenant-schema/change-capture/outbox.sql).
function settingsOf({ schemaName }: WatchedTable): Record<string, string> {
  return {
    // Built-in operators and functions take precedence over a tenant's own with the same name.
    search_path: `pg_catalog, ${searchPathOf(schemaName)}`,
    datestyle: 'ISO, MDY',
    intervalstyle: 'postgres',
    timezone: 'UTC',
    extra_float_digits: '1',
    bytea_output: 'hex',
  }
}

function readingOf({ condition: { operator, value }, sqlType }: TypedCondition): Sql {
  const type = verbatim(sqlType)
  const written = sql`case when num_nulls(value) = 0 then format('%s', value) end`
  const tried = comparison(operator, sql`value`, sql`value`, operator === 'in' ? undefined : type)
  const source =
    operator === 'in' ? sql`unnest(${value}::${type}[])` : sql`(select ${value}::${type}) `
  return sql`select ${written}, ${tried} from ${source} as given (value)`
}

const SYMBOLS: Readonly<Record<FilterOperator, string>> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  in: '=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  is: 'is not distinct from',
  isdistinct: 'is distinct from',
}

// Casts both sides to the column's type, as upstream does.
function comparison(operator: FilterOperator, left: Sql, right: Sql, type: Sql | undefined): Sql {
  const symbol = verbatim(SYMBOLS[operator])
  return type === undefined
    ? sql`${left} ${symbol} ${right}`
    : sql`${left}::${type} ${symbol} ${right}::${type}`
}

/** A comparison that cannot be decided from the texts of a changed row. */
export interface OpenQuestion {
  readonly change: RowChange
  readonly role: Role
  readonly condition: BoundCondition
}

/** Answers each question, in order. A comparison that fails or takes too long counts as no match. */
export async function askConditions(
  engine: Engine,
  questions: readonly OpenQuestion[],
): Promise<readonly boolean[]> {
  const answers = new Map<OpenQuestion, boolean>()
  for (const alike of groupAlike(questions)) {
    const [first] = alike
    if (first === undefined) continue
    for (const [index, answer] of (await ask(engine, first, alike)).entries()) {
      const question = alike[index]
      if (question !== undefined) answers.set(question, answer)
    }
  }
  return questions.map((question) => answers.get(question) === true)
}

async function ask(
  engine: Engine,
  { change: { table }, role, condition }: OpenQuestion,
  alike: readonly OpenQuestion[],
): Promise<readonly boolean[]> {
  const answers = await engine.ask({
    actor: { schemaName: table.schemaName, role },
    settings: settingsOf(table),
    statement: questionOf(condition),
    questions: alike.map(({ change, condition: { place, value } }) => ({
      settings: {},
      params: [(change.row ?? change.oldRow)?.texts[place] ?? null, value],
    })),
    onlyRelation: table.oid,
    timeoutMillis: TIME_LIMIT_MILLIS,
  })
  return answers.map((answer) => !(answer instanceof SqlError) && cellText(answer[0]?.[0]) === 't')
}

function questionOf({ operator, isNegated, sqlType }: BoundCondition): Sql {
  const type = verbatim(sqlType)
  const compared =
    operator === 'in'
      ? sql`${''}::${type} = any (${''}::${type}[])`
      : comparison(operator, sql`${''}`, sql`${''}`, type)
  return sql`select (${compared}) is ${verbatim(isNegated ? 'false' : 'true')}`
}

function groupAlike(questions: readonly OpenQuestion[]): Iterable<readonly OpenQuestion[]> {
  return Map.groupBy(questions, ({ role, condition, change: { table } }) =>
    JSON.stringify([
      table.schemaName,
      table.oid,
      role,
      condition.sqlType,
      condition.operator,
      condition.isNegated,
    ]),
  ).values()
}
