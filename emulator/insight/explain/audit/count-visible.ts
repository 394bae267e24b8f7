// Counts the rows that identities see. Each engine job asks about a few tables, or a part of a large one, as a few identities
// of one role. Other work therefore waits for short jobs only.

import type { Clock } from '../../../core/clock.ts'
import type { PrincipalRole } from '../../../core/principal.ts'
import { type Answer, type Engine, SqlError } from '../../../database/engine.ts'
import { EMPTY, identifier, type Sql, sql, verbatim } from '../../../database/sql.ts'
import type { ResolvedIdentity } from '../../api-kit/identities.ts'
import { keyColumns, ROLES, type SecuredTable } from '../../tables/table.ts'
import { askAs } from '../../visibility/ask-identities.ts'
import {
  countedRows,
  countStatement,
  type NumberedRelation,
  rowStatement,
} from '../../visibility/numbered-rows.ts'
import {
  type Count,
  JOB_ROWS,
  joinParts,
  MAX_NUMBERED,
  type PageRange,
  type Part,
  pageRanges,
} from './row-counts.ts'

/** Identities of a job grow while a job takes less than this, in wall-clock milliseconds, and shrink when it takes more. */
const JOB_MILLIS = 5
/** Limit of one job, in wall-clock milliseconds. */
const TIMEOUT_MILLIS = 5_000
const CANCELLED = '57014'

export interface CountDeps {
  readonly engine: Engine
  readonly wallClock: Clock
}

/** A table with its size, which estimates the duration of a count. */
export interface CountedTable {
  readonly table: SecuredTable
  readonly rows: number
  /** Number of pages; `undefined` for relations whose rows are not on pages of their own. */
  readonly pages: number | undefined
}

/** Counts by table, for each identity in their order. */
export type Counts = ReadonlyMap<SecuredTable, readonly Count[]>

/** @param tables of one project @throws {SqlError} when the engine did not begin the work */
export async function countVisible(
  deps: CountDeps,
  tables: readonly CountedTable[],
  identities: readonly ResolvedIdentity[],
): Promise<Counts> {
  const parts = new Map<SecuredTable, Map<ResolvedIdentity, (Part | SqlError)[]>>()
  const add = ({ identity, part, table }: Counted): void => {
    const known = parts.get(table) ?? new Map<ResolvedIdentity, (Part | SqlError)[]>()
    parts.set(table, known.set(identity, [...(known.get(identity) ?? []), part]))
  }
  await Promise.all(
    ROLES.map(async (role) => {
      const alike = identities.filter(({ principal }) => principal.role === role)
      const readable = tables.filter(({ table }) => numberedColumns(table, role).length > 0)
      if (alike.length === 0) return
      for (const group of groupsOf(readable, role))
        for (const range of group.ranges)
          for await (const counted of countAs(deps, { ...group, role, range }, alike)) add(counted)
    }),
  )
  return new Map(
    tables.map(({ table }) => [
      table,
      identities.map((identity) => {
        const own = parts.get(table)?.get(identity)
        return own === undefined ? undefined : joinParts(own)
      }),
    ]),
  )
}

interface Group {
  readonly tables: readonly SecuredTable[]
  /** The parts to count one after the other; `undefined` is everything. */
  readonly ranges: readonly (PageRange | undefined)[]
  /** Number of identities of the next job. Each job adapts it. */
  readonly pace: { size: number }
}

const MAX_TABLES = 20
const FIRST_IDENTITIES = 4

function groupsOf(tables: readonly CountedTable[], role: PrincipalRole): readonly Group[] {
  const large = tables.filter(({ rows }) => rows > JOB_ROWS)
  const groups: SecuredTable[][] = []
  let sum = Number.POSITIVE_INFINITY
  for (const { rows, table } of tables) {
    if (rows > JOB_ROWS) continue
    if (sum + rows > JOB_ROWS || (groups.at(-1)?.length ?? 0) >= MAX_TABLES) {
      groups.push([])
      sum = 0
    }
    groups.at(-1)?.push(table)
    sum += rows
  }
  return [
    ...groups.map((group) => ({
      tables: group,
      ranges: [undefined],
      pace: { size: FIRST_IDENTITIES },
    })),
    ...large.map(({ pages, rows, table }) => ({
      tables: [table],
      // Reading ctid needs SELECT on the whole table.
      ranges:
        pages === undefined || !readsWholly(table, role) ? [undefined] : pageRanges(rows, pages),
      pace: { size: 1 },
    })),
  ]
}

interface Counted {
  readonly table: SecuredTable
  readonly identity: ResolvedIdentity
  readonly part: Part | SqlError
}

interface CountTask extends Pick<Group, 'tables' | 'pace'> {
  readonly role: PrincipalRole
  readonly range: PageRange | undefined
}

// A statement that fails for one table fails for all of its tables. They are then counted one by one.
async function* countAs(
  deps: CountDeps,
  task: CountTask,
  identities: readonly ResolvedIdentity[],
): AsyncGenerator<Counted> {
  const { pace, tables } = task
  const statement = statementOf(task)
  for (let at = 0; at < identities.length; ) {
    const asked = identities.slice(at, at + pace.size)
    const startedAt = deps.wallClock.now()
    const answers = await ask(deps.engine, task, statement, asked)
    const isShort = deps.wallClock.now() - startedAt < JOB_MILLIS
    pace.size = isShort ? pace.size * 2 : Math.max(1, Math.floor(pace.size / 2))
    at += asked.length
    for (const [index, identity] of asked.entries()) {
      const answer = answers[index]
      if (answer instanceof SqlError && tables.length > 1)
        for (const table of tables) yield* countAs(deps, { ...task, tables: [table] }, [identity])
      else
        for (const [place, table] of tables.entries())
          yield { table, identity, part: partOf(answer, place) }
    }
  }
}

function ask(
  engine: Engine,
  { tables: [table] }: CountTask,
  statement: Sql,
  identities: readonly ResolvedIdentity[],
): Promise<readonly Answer[]> {
  const principals = identities.map(({ principal }) => principal)
  const relation = table?.name ?? ''
  return askAs(engine, principals, { relation, statement, timeoutMillis: TIMEOUT_MILLIS })
}

function partOf(answer: Answer | undefined, place: number): Part | SqlError {
  if (answer instanceof SqlError) return answer
  const counted = answer && countedRows(answer).get(place)
  if (counted === undefined) return new SqlError(CANCELLED, 'counting the rows takes too long')
  return { ...counted, numbers: counted.numbers?.map(shortNumber) }
}

/** The last 32 bits of a row's number, in hexadecimal. */
function shortNumber(number: string): string {
  return BigInt.asUintN(64, BigInt(number)).toString(16).slice(-8)
}

function statementOf({ range, role, tables }: CountTask): Sql {
  const clause = inRange(range)
  const counted = tables.map((table, place) => ({ ...numbered(table, role), place, clause }))
  return countStatement(counted, MAX_NUMBERED)
}

// Postgres reads only these pages, and checks policies on their rows only: comparing a ctid is leakproof.
function inRange(range: PageRange | undefined): Sql {
  if (range === undefined) return EMPTY
  return sql` where r.ctid operator(pg_catalog.>=) ${verbatim(`'(${range.from},0)'`)}::pg_catalog.tid
  and r.ctid operator(pg_catalog.<) ${verbatim(`'(${range.to},0)'`)}::pg_catalog.tid`
}

/** Returns the statement that reads the columns that number a row, as the text of a record, of the row with a number. */
export function rowByNumber(
  table: SecuredTable,
  role: PrincipalRole,
  short: string,
): { readonly columns: readonly string[]; readonly statement: Sql } {
  const relation = numbered(table, role)
  const hasNumber = (number: Sql): Sql =>
    sql`pg_catalog."right"(pg_catalog.to_hex(${number}), 8) operator(pg_catalog.=) ${short}::pg_catalog.text`
  return { columns: relation.key, statement: rowStatement(relation, relation.key, hasNumber) }
}

function numbered(table: SecuredTable, role: PrincipalRole): NumberedRelation {
  return { name: identifier(table.schemaName, table.name), key: numberedColumns(table, role) }
}

// The columns of the primary key, or all columns, of those that the role may read.
function numberedColumns(table: SecuredTable, role: PrincipalRole): readonly string[] {
  const { columns, schema } = table.access[role]
  if (!schema) return []
  const isWhole = readsWholly(table, role)
  const readable = new Set(columns['SELECT'])
  const may = ({ name }: { readonly name: string }) => isWhole || readable.has(name)
  const key = keyColumns(table).filter(may)
  return (key.length > 0 ? key : table.columns.filter(may)).map(({ name }) => name)
}

function readsWholly({ access }: SecuredTable, role: PrincipalRole): boolean {
  return access[role].owns || access[role].privileges.includes('SELECT')
}
