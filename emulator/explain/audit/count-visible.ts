// Counts the rows that identities see. Each engine job asks about a few tables as a few identities of one role, so that other
// work waits for short jobs only.
import type { ResolvedIdentity } from '../../api-kit/identities.ts'
import type { Clock } from '../../core/clock.ts'
import type { PrincipalRole } from '../../core/principal.ts'
import { principalSettings } from '../../database/as-principal.ts'
import { type Answer, cellText, type Engine, SqlError, wasNotBegun } from '../../database/engine.ts'
import { PLAIN_FORMATS } from '../../database/row-reader.ts'
import { identifier, join, type Sql, sql, verbatim } from '../../database/sql.ts'
import { keyColumns, ROLES, type SecuredTable } from '../../tables/table.ts'

/** What an identity sees of a table. */
export interface SeenRows {
  readonly rows: number
  /** A number for each row in hexadecimal, sorted; one number for all rows when there are more than `MAX_NUMBERED`. */
  readonly numbers: readonly string[]
}

/** `undefined`: the role may not read the table. */
export type Count = SeenRows | SqlError | undefined

/** Up to this many rows, each row has a number of its own, which identifies a new row. */
const MAX_NUMBERED = 50
/** Identities of a job grow while a job takes less than this, in wall-clock milliseconds, and shrink when it takes more. */
const JOB_MILLIS = 5
const FIRST_IDENTITIES = 4
/** Limit of one job, in wall-clock milliseconds. */
const TIMEOUT_MILLIS = 5_000
const CANCELLED = '57014'

export interface CountDeps {
  readonly engine: Engine
  readonly wallClock: Clock
}

/** A table with the number of its rows, which estimates the duration of a count. */
export interface CountedTable {
  readonly table: SecuredTable
  readonly weight: number
}

/** Counts by table, for each identity in their order. */
export type Counts = ReadonlyMap<SecuredTable, readonly Count[]>

/** @param tables of one project @throws {SqlError} when the engine did not begin the work */
export async function countVisible(
  deps: CountDeps,
  tables: readonly CountedTable[],
  identities: readonly ResolvedIdentity[],
): Promise<Counts> {
  const found = new Map(tables.map(({ table }) => [table, identities.map((): Count => undefined)]))
  await Promise.all(
    ROLES.map(async (role) => {
      const alike = identities.filter(({ principal }) => principal.role === role)
      if (alike.length === 0) return
      const readable = tables.filter(({ table }) => numberedColumns(table, role).length > 0)
      for (const group of groupsOf(readable))
        for await (const { count, identity, table } of countAs(deps, role, group, alike))
          found.get(table)?.splice(identities.indexOf(identity), 1, count)
    }),
  )
  return found
}

/** Rows of the tables that one job counts for an identity. */
const GROUP_ROWS = 2_000
const MAX_GROUP = 20

function groupsOf(tables: readonly CountedTable[]): readonly (readonly SecuredTable[])[] {
  const groups: SecuredTable[][] = []
  let rows = Number.POSITIVE_INFINITY
  for (const { table, weight } of tables) {
    const last = groups.at(-1)
    if (last === undefined || rows + weight > GROUP_ROWS || last.length >= MAX_GROUP) {
      groups.push([table])
      rows = weight
    } else {
      last.push(table)
      rows += weight
    }
  }
  return groups
}

interface Counted {
  readonly table: SecuredTable
  readonly identity: ResolvedIdentity
  readonly count: Count
}

// A statement that fails for one table fails for all of its tables. They are then counted one by one.
async function* countAs(
  deps: CountDeps,
  role: PrincipalRole,
  tables: readonly SecuredTable[],
  identities: readonly ResolvedIdentity[],
): AsyncGenerator<Counted> {
  const { wallClock } = deps
  const statement = countStatement(tables, role)
  let size = FIRST_IDENTITIES
  for (let at = 0; at < identities.length; ) {
    const asked = identities.slice(at, at + size)
    const startedAt = wallClock.now()
    const answers = await ask(deps.engine, tables, { statement, role }, asked)
    size = wallClock.now() - startedAt < JOB_MILLIS ? size * 2 : Math.max(1, Math.floor(size / 2))
    at += asked.length
    for (const [index, identity] of asked.entries()) {
      const answer = answers[index]
      if (answer instanceof SqlError && tables.length > 1)
        for (const table of tables) yield* countAs(deps, role, [table], [identity])
      else
        for (const [place, table] of tables.entries())
          yield { table, identity, count: countOf(answer, place) }
    }
  }
}

interface Question {
  readonly statement: Sql
  readonly role: PrincipalRole
}

async function ask(
  engine: Engine,
  [table]: readonly SecuredTable[],
  { role, statement }: Question,
  identities: readonly ResolvedIdentity[],
): Promise<readonly Answer[]> {
  if (table === undefined) return []
  const { name, schemaName } = table
  try {
    return await engine.ask({
      actor: { schemaName, role },
      settings: {},
      statement,
      questions: identities.map(({ principal }) => ({
        settings: principalSettings(principal, {
          method: 'GET',
          path: `/${name}`,
          headers: '{}',
          others: PLAIN_FORMATS,
        }),
        params: statement.params,
      })),
      timeoutMillis: TIMEOUT_MILLIS,
    })
  } catch (error) {
    if (!(error instanceof SqlError) || wasNotBegun(error)) throw error
    return identities.map(() => error)
  }
}

function countOf(answer: Answer | undefined, place: number): Count {
  if (answer instanceof SqlError) return answer
  const [, rows, numbers] = answer?.find(([index]) => cellText(index) === String(place)) ?? []
  if (rows === undefined) return new SqlError(CANCELLED, 'counting the rows takes too long')
  return { rows: Number(cellText(rows)), numbers: cellText(numbers)?.split(' ') ?? [] }
}

// One row for each table: its place, the number of visible rows and their numbers.
function countStatement(tables: readonly SecuredTable[], role: PrincipalRole): Sql {
  const counts = tables.map((table, place) => {
    const columns = numberedColumns(table, role)
    const number = verbatim(`pg_catalog."right"(pg_catalog.to_hex(seen.n), 8)`)
    return sql`select ${verbatim(String(place))}, pg_catalog.count(*),
  case when pg_catalog.count(*) > ${verbatim(String(MAX_NUMBERED))} then pg_catalog.to_hex(pg_catalog.bit_xor(seen.n))
    else pg_catalog.string_agg(${number}, ' ' order by ${number}) end
from (select ${rowNumber(columns)} as n from ${identifier(table.schemaName, table.name)} as r) as seen`
  })
  return join(counts, '\nunion all\n')
}

/** Returns the statement that reads the columns that number a row, as the text of a record, of the row with a number. */
export function rowByNumber(
  table: SecuredTable,
  role: PrincipalRole,
  number: string,
): { readonly columns: readonly string[]; readonly statement: Sql } {
  const columns = numberedColumns(table, role)
  const names = columns.map((name) => sql`r.${identifier(name)}`)
  const statement = sql`select row(${join(names)})::pg_catalog.text from ${identifier(table.schemaName, table.name)} as r
where pg_catalog."right"(pg_catalog.to_hex(${rowNumber(columns)}), 8) operator(pg_catalog.=) ${number}::pg_catalog.text limit 1`
  return { columns, statement }
}

// The columns of the primary key, or all columns, of those that the role may read.
function numberedColumns(table: SecuredTable, role: PrincipalRole): readonly string[] {
  const { columns, owns, privileges, schema } = table.access[role]
  if (!schema) return []
  const isWhole = owns || privileges.includes('SELECT')
  const readable = new Set(columns['SELECT'])
  const may = ({ name }: { readonly name: string }) => isWhole || readable.has(name)
  const key = keyColumns(table).filter(may)
  return (key.length > 0 ? key : table.columns.filter(may)).map(({ name }) => name)
}

// The text of a record uses output functions only, never a cast of the project's own.
function rowNumber(columns: readonly string[]): Sql {
  const names = columns.map((name) => sql`r.${identifier(name)}`)
  return sql`pg_catalog.hashtextextended(row(${join(names)})::pg_catalog.text, 0)`
}
