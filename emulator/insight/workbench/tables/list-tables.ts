// Lists a project's tables with their row counts, and describes the structure of one table or of all (contract/tables.ts).
import type {
  ProjectStructure,
  TableColumn,
  TableList,
  TableStructure,
  TableSummary,
} from '../../../contract/tables.ts'
import { isLedger, type SchemaName } from '../../../core/names.ts'
import { cellText, SqlError } from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import { join, type Sql, sql } from '../../../database/sql.ts'
import { type KnownTables, requireTable } from '../../tables/known-tables.ts'
import { type Column, type Table, tableOf } from '../../tables/table.ts'

/** Number of rows that are read from each table when several tables are counted. */
const FIRST_ROWS = 10_000
/**
 * Number of rows that are read to count a single table, and that a list of tables reads in total to count larger tables. Reading
 * this number takes about 0.1 s.
 */
const COUNTED_ROWS = 200_000

export interface ListDeps {
  readonly known: KnownTables
  readonly reader: RowReader
}

/** @throws {SqlError} */
export async function listTables(deps: ListDeps, schemaName: SchemaName): Promise<TableList> {
  const [tables, counts] = await countedTables(deps, schemaName)
  return { tables: tables.map((table) => summaryOf(table, counts.get(table.name))) }
}

/** @throws {SqlError} @throws {InspectorError} `not_found` */
export async function describeTable(
  { known, reader }: ListDeps,
  schemaName: SchemaName,
  name: string,
): Promise<TableStructure> {
  const table = await requireTable(known, schemaName, name)
  const counts = await countTables(reader, schemaName, [table])
  return structureOf(table, counts.get(table.name))
}

/** @throws {SqlError} */
export async function describeProject(
  deps: ListDeps,
  schemaName: SchemaName,
): Promise<ProjectStructure> {
  const [tables, counts] = await countedTables(deps, schemaName)
  return { tables: tables.map((table) => structureOf(table, counts.get(table.name))) }
}

// Leaves out the platform's table of migration steps.
async function countedTables(
  { known, reader }: ListDeps,
  schemaName: SchemaName,
): Promise<[readonly Table[], ReadonlyMap<string, RowCount>]> {
  const tables = (await known.all(schemaName)).filter(({ name }) => !isLedger(name))
  return [tables, await countTables(reader, schemaName, tables)]
}

function structureOf(table: Table, count: RowCount | undefined): TableStructure {
  return {
    ...summaryOf(table, count),
    columns: table.columns.map(columnOf),
    indexes: table.indexes,
    foreign_keys: table.foreignKeys,
    referenced_by: table.referencedBy,
  }
}

interface RowCount {
  readonly rows: number
  readonly isExact: boolean
}

// Views are not counted, because counting would run the view's query.
async function countTables(
  reader: RowReader,
  schemaName: SchemaName,
  tables: readonly Table[],
): Promise<ReadonlyMap<string, RowCount>> {
  const countable = tables.filter(({ kind }) => kind !== 'view' && kind !== 'foreign_table')
  const count = async (asked: readonly Table[], question: (table: Sql) => Sql) => {
    const answers = await answersOf(reader, schemaName, asked, (table) =>
      question(tableOf(schemaName, table)),
    )
    return new Map([...answers].map(([name, answer]) => [name, Number(answer)]))
  }
  const most = countable.length === 1 ? COUNTED_ROWS : FIRST_ROWS
  const first = await count(
    countable,
    (table) => sql`select count(*) from (select from ${table} limit ${most}) as counted`,
  )
  const large = countable.filter(({ name }) => (first.get(name) ?? 0) >= most)
  const estimates = await count(large, estimate)
  const cheap = new Set(affordable(estimates, COUNTED_ROWS))
  const exact = await count(
    large.filter(({ name }) => cheap.has(name)),
    (table) => sql`select count(*) from ${table}`,
  )
  return new Map(
    [...first].map(([name, rows]) => {
      const estimated = exact.has(name) ? undefined : estimates.get(name)
      return [
        name,
        estimated === undefined
          ? { rows: exact.get(name) ?? rows, isExact: true }
          : { rows: Math.max(most, estimated), isExact: false },
      ]
    }),
  )
}

// Estimates the rows of a table: rows for each page of the first rows, times the number of pages. The planner's own estimate is
// several times too high for a table that was never analysed.
function estimate(table: Sql): Sql {
  const relation = sql`${table.text}::regclass`
  return sql`select (count(*) / count(distinct (tableoid, page))::numeric
      * coalesce((select sum(pg_relation_size(relid)) from pg_partition_tree(${relation}) where isleaf),
        pg_relation_size(${relation})) / current_setting('block_size')::int4)::int8
  from (select tableoid, (ctid::text::point)[0] as page from ${table} limit ${FIRST_ROWS}) as first_rows`
}

/** Returns the tables that can be counted, smallest first, without reading more than `maxRows` rows. */
function affordable(estimates: ReadonlyMap<string, number>, maxRows: number): readonly string[] {
  let left = maxRows
  const ascending = [...estimates].toSorted(([, one], [, other]) => one - other)
  return ascending.flatMap(([name, rows]) => {
    left -= rows
    return left >= 0 ? [name] : []
  })
}

// Reads all tables in one transaction. If the transaction fails, reads the tables one by one, so that an unpopulated
// materialised view does not affect the others.
async function answersOf(
  reader: RowReader,
  schemaName: SchemaName,
  tables: readonly Table[],
  question: (table: Table) => Sql,
): Promise<ReadonlyMap<string, string>> {
  const ask = async (asked: readonly Table[]) => {
    const results = await reader.read(schemaName, questions(asked, question))
    const cells = results.flatMap(({ rows }) => rows[0] ?? [])
    return asked.map(({ name }, index): [string, string] => [name, cellText(cells[index]) ?? ''])
  }
  if (tables.length === 0) return new Map()
  try {
    return new Map(await ask(tables))
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
  }
  const answers: [string, string][] = []
  for (const table of tables) answers.push(...(await ask([table]).catch(() => [])))
  return new Map(answers)
}

/** Maximum number of columns of one statement. Postgres allows 1,664. */
const MAX_COLUMNS = 500

// One statement for many tables takes a third of the time that a statement per table takes.
function questions(tables: readonly Table[], question: (table: Table) => Sql): readonly Sql[] {
  const columns = tables.map((table) => sql`(${question(table)})`)
  return Array.from(
    { length: Math.ceil(columns.length / MAX_COLUMNS) },
    (_, index) =>
      sql`select ${join(columns.slice(index * MAX_COLUMNS, (index + 1) * MAX_COLUMNS))}`,
  )
}

function summaryOf(table: Table, count: RowCount | undefined): TableSummary {
  return {
    name: table.name,
    kind: table.kind,
    rls_enabled: table.hasRowSecurity,
    is_closed: table.isClosed,
    policies: table.policyCount,
    rows: count?.rows ?? null,
    is_exact: count?.isExact ?? false,
    comment: table.comment,
  }
}

function columnOf(column: Column): TableColumn {
  return {
    name: column.name,
    type: column.type,
    is_key: column.isKey,
    is_nullable: column.isNullable,
    default: defaultOf(column),
    is_generated: column.generation !== null || column.identity === 'always',
    choices: column.choices,
    comment: column.comment,
  }
}

function defaultOf({ default: value, generation, identity }: Column): string | null {
  return identity === null ? (generation ?? value) : `generated ${identity} as identity`
}
