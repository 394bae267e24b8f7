// Counts the rows that identities see. Each engine job counts for a few identities of one role, in a few tables or in a part of a
// large table. Other work therefore waits for short jobs only.
import type { Clock } from '../../../core/clock.ts'
import type { PrincipalRole } from '../../../core/principal.ts'
import { type Answer, attempt, type Engine, SqlError } from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
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
  shortNumber,
} from './row-counts.ts'
import { areInPlace, readKinds, seenPart } from './row-kinds.ts'

/**
 * Target duration of a job, in wall-clock milliseconds. The number of identities doubles after a shorter job and halves after a
 * longer job.
 */
const JOB_MILLIS = 5
/** Limit of one job, in wall-clock milliseconds. */
const TIMEOUT_MILLIS = 5_000
const CANCELLED = '57014'

export interface CountDeps {
  readonly engine: Engine
  readonly reader: RowReader
  readonly wallClock: Clock
  /** Aborting ends the count after the running job. */
  readonly signal?: AbortSignal
}

/** A table with its size, which estimates the duration of a count. */
export interface CountedTable {
  readonly table: SecuredTable
  readonly rows: number
  /** Number of pages; `undefined` for relations whose rows are not on pages of their own. */
  readonly pages: number | undefined
}

/** Receives the counts of a table as soon as they are complete. */
export type ReportCounts = (table: SecuredTable, counts: readonly Count[]) => void

/** @param tables of one project @throws {SqlError} when the engine did not begin the work */
export async function countVisible(
  deps: CountDeps,
  tables: readonly CountedTable[],
  identities: readonly ResolvedIdentity[],
  report: ReportCounts,
): Promise<void> {
  const roles = ROLES.flatMap((role) => {
    const alike = identities.filter(({ principal }) => principal.role === role)
    return alike.length === 0 ? [] : [{ role, alike, pace: { size: FIRST_IDENTITIES } }]
  })
  const counter = new Counter(deps, roles)
  const tell = (counted: readonly SecuredTable[]): void => {
    for (const table of counted)
      report(
        table,
        identities.map((identity) => counter.countOf(table, identity)),
      )
  }
  for (const group of groupsOf(tables.filter(({ rows }) => rows <= JOB_ROWS))) {
    await counter.countTogether(group)
    tell(group)
  }
  const large = tables.filter(({ rows }) => rows > JOB_ROWS)
  for (const one of large.toSorted((a, b) => a.rows - b.rows)) {
    await counter.countLarge(one)
    tell([one.table])
  }
}

const MAX_TABLES = 20
const FIRST_IDENTITIES = 4

function groupsOf(tables: readonly CountedTable[]): readonly (readonly SecuredTable[])[] {
  const groups: SecuredTable[][] = []
  let sum = Number.POSITIVE_INFINITY
  for (const { rows, table } of tables) {
    if (sum + rows > JOB_ROWS || (groups.at(-1)?.length ?? 0) >= MAX_TABLES) {
      groups.push([])
      sum = 0
    }
    groups.at(-1)?.push(table)
    sum += rows
  }
  return groups
}

/** The identities that have the same role. */
interface AlikeIdentities {
  readonly role: PrincipalRole
  readonly alike: readonly ResolvedIdentity[]
  /** The number of identities in the next job. Each job adapts this number. */
  readonly pace: { size: number }
}

type AnyPart = Part | SqlError

class Counter {
  readonly #deps: CountDeps
  readonly #roles: readonly AlikeIdentities[]
  readonly #parts = new Map<SecuredTable, Map<ResolvedIdentity, AnyPart[]>>()

  constructor(deps: CountDeps, roles: readonly AlikeIdentities[]) {
    this.#deps = deps
    this.#roles = roles
  }

  countOf(table: SecuredTable, identity: ResolvedIdentity): Count {
    const parts = this.#parts.get(table)?.get(identity)
    return parts === undefined ? undefined : joinParts(parts)
  }

  async countTogether(tables: readonly SecuredTable[]): Promise<void> {
    await this.#asEachRole(tables, (readable, { alike, pace, role }) =>
      this.#count({ tables: readable, pace, ...rangeCount(readable, role, undefined) }, alike),
    )
  }

  async countLarge({ pages, rows, table }: CountedTable): Promise<void> {
    const ranges = pages === undefined ? [undefined] : pageRanges(rows, pages)
    // Reading ctid needs SELECT on the whole table.
    const whole = this.#roles.filter(({ role }) => readsWholly(table, role))
    const others = this.#roles.filter((one) => !whole.includes(one))
    const isCounted = pages !== undefined && (await this.#countKinds(table, ranges, whole))
    for (const range of isCounted ? [] : ranges)
      await this.#asEachRole(
        [table],
        (tables, { alike, role }) =>
          this.#count({ tables, pace: { size: 1 }, ...rangeCount(tables, role, range) }, alike),
        whole,
      )
    await this.#asEachRole(
      [table],
      (tables, { alike, role }) =>
        this.#count({ tables, pace: { size: 1 }, ...rangeCount(tables, role, undefined) }, alike),
      others,
    )
  }

  /** Counts the rows by their kinds. Returns false when this is not possible. */
  async #countKinds(
    table: SecuredTable,
    ranges: readonly (PageRange | undefined)[],
    roles: readonly AlikeIdentities[],
  ): Promise<boolean> {
    const [first] = roles
    if (first === undefined) return false
    const { reader } = this.#deps
    const relation = numbered(table, first.role)
    const kinds = await attempt(() => readKinds(reader, table, relation, ranges.map(inRange)))
    if (kinds === undefined || kinds instanceof SqlError) return false
    const { statement } = kinds
    const partOf: PartOf = (answer) => seenPart(kinds, answer) ?? tooSlow()
    await this.#asEachRole(
      [table],
      (tables, { alike, pace }) => this.#count({ tables, pace, statement, partOf }, alike),
      roles,
    )
    if (await areInPlace(reader, table, kinds)) return true
    this.#parts.delete(table)
    return false
  }

  async #asEachRole(
    tables: readonly SecuredTable[],
    count: (readable: readonly SecuredTable[], role: AlikeIdentities) => Promise<void>,
    roles: readonly AlikeIdentities[] = this.#roles,
  ): Promise<void> {
    await Promise.all(
      roles.map(async (one) => {
        const readable = tables.filter((table) => numberedColumns(table, one.role).length > 0)
        if (readable.length > 0) await count(readable, one)
      }),
    )
  }

  async #count(task: CountTask, alike: readonly ResolvedIdentity[]): Promise<void> {
    for await (const { identity, part, table } of countAs(this.#deps, task, alike)) {
      const known = this.#parts.get(table) ?? new Map<ResolvedIdentity, AnyPart[]>()
      this.#parts.set(table, known.set(identity, [...(known.get(identity) ?? []), part]))
    }
  }
}

interface Counted {
  readonly table: SecuredTable
  readonly identity: ResolvedIdentity
  readonly part: Part | SqlError
}

interface CountTask {
  readonly tables: readonly SecuredTable[]
  readonly pace: { size: number }
  readonly statement: Sql
  readonly partOf: PartOf
  /** Returns the task that counts one of several tables alone. */
  readonly alone?: (table: SecuredTable) => CountTask
}

/** Reads the count of the table at index `place` from an answer to the statement. */
type PartOf = (answer: Answer | undefined, place: number) => Part | SqlError

// When a statement fails for one table, it fails for all its tables. The tables are then counted one by one.
async function* countAs(
  deps: CountDeps,
  task: CountTask,
  identities: readonly ResolvedIdentity[],
): AsyncGenerator<Counted> {
  const { alone, pace, partOf, tables } = task
  for (let at = 0; at < identities.length; ) {
    deps.signal?.throwIfAborted()
    const asked = identities.slice(at, at + pace.size)
    const startedAt = deps.wallClock.now()
    const answers = await ask(deps.engine, task, asked)
    const isShort = deps.wallClock.now() - startedAt < JOB_MILLIS
    pace.size = isShort ? pace.size * 2 : Math.max(1, Math.floor(pace.size / 2))
    at += asked.length
    for (const [index, identity] of asked.entries()) {
      const answer = answers[index]
      if (answer instanceof SqlError && tables.length > 1 && alone !== undefined)
        for (const table of tables) yield* countAs(deps, alone(table), [identity])
      else
        for (const [place, table] of tables.entries())
          yield { table, identity, part: partOf(answer, place) }
    }
  }
}

function ask(
  engine: Engine,
  { statement, tables: [table] }: CountTask,
  identities: readonly ResolvedIdentity[],
): Promise<readonly Answer[]> {
  const principals = identities.map(({ principal }) => principal)
  const relation = table?.name ?? ''
  return askAs(engine, principals, { relation, statement, timeoutMillis: TIMEOUT_MILLIS })
}

const partOfCount: PartOf = (answer, place) => {
  if (answer instanceof SqlError) return answer
  const counted = answer && countedRows(answer).get(place)
  return counted === undefined
    ? tooSlow()
    : { ...counted, numbers: counted.numbers?.map(shortNumber) }
}

function tooSlow(): SqlError {
  return new SqlError(CANCELLED, 'counting the rows takes too long')
}

function rangeCount(
  tables: readonly SecuredTable[],
  role: PrincipalRole,
  range: PageRange | undefined,
): Pick<CountTask, 'statement' | 'partOf' | 'alone'> {
  const clause = inRange(range)
  const counted = tables.map((table, place) => ({ ...numbered(table, role), place, clause }))
  return {
    statement: countStatement(counted, MAX_NUMBERED),
    partOf: partOfCount,
    alone: (table) => ({
      tables: [table],
      pace: { size: 1 },
      ...rangeCount([table], role, range),
    }),
  }
}

// Postgres reads only the pages of the range and checks policies only on their rows, because comparing a ctid is leakproof.
function inRange(range: PageRange | undefined): Sql {
  if (range === undefined) return EMPTY
  return sql` where r.ctid operator(pg_catalog.>=) ${verbatim(`'(${range.from},0)'`)}::pg_catalog.tid
  and r.ctid operator(pg_catalog.<) ${verbatim(`'(${range.to},0)'`)}::pg_catalog.tid`
}

/**
 * Returns a statement that finds a row by its number. The statement returns the columns from which the number is computed, as the
 * text of a record.
 */
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

// Returns the columns of the primary key that the role may read, or else all columns that the role may read.
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
