// Lists a project's tables with their row counts, and describes the structure of one table or of all (contract/tables.ts).
import type {
  ProjectStructure,
  TableColumn,
  TableList,
  TableStructure,
  TableSummary,
} from '../../contract/tables.ts'
import { isLedger, type SchemaName } from '../../core/names.ts'
import { cellText, SqlError } from '../../database/engine.ts'
import type { RowReader } from '../../database/row-reader.ts'
import { type Sql, sql } from '../../database/sql.ts'
import { type Column, loadTables, requireTable, type Table, tableOf } from '../../tables/table.ts'

/** Maximum number of rows to count. Larger tables show the planner's estimate. */
const COUNTED_ROWS = 10_000

/** Leaves out the record of migration steps, which no user made. */
async function listedTables(reader: RowReader, schemaName: SchemaName): Promise<readonly Table[]> {
  return (await loadTables(reader, schemaName)).filter(({ name }) => !isLedger(name))
}

/** @throws {SqlError} */
export async function listTables(reader: RowReader, schemaName: SchemaName): Promise<TableList> {
  const tables = await listedTables(reader, schemaName)
  const counts = await countTables(reader, schemaName, tables)
  return { tables: tables.map((table) => summaryOf(table, counts.get(table.name))) }
}

/** @throws {SqlError} @throws {InspectorError} `not_found` */
export async function describeTable(
  reader: RowReader,
  schemaName: SchemaName,
  name: string,
): Promise<TableStructure> {
  const table = await requireTable(reader, schemaName, name)
  const counts = await countTables(reader, schemaName, [table])
  return structureOf(table, counts.get(table.name))
}

/** @throws {SqlError} */
export async function describeProject(
  reader: RowReader,
  schemaName: SchemaName,
): Promise<ProjectStructure> {
  const tables = await listedTables(reader, schemaName)
  const counts = await countTables(reader, schemaName, tables)
  return { tables: tables.map((table) => structureOf(table, counts.get(table.name))) }
}

function structureOf(table: Table, count: RowCount | undefined): TableStructure {
  return {
    ...summaryOf(table, count),
    columns: table.columns.map(columnOf),
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
  const counts = await answersOf(
    reader,
    schemaName,
    countable,
    (table) =>
      sql`select count(*) from (select from ${tableOf(schemaName, table)} limit ${COUNTED_ROWS}) as counted`,
  )
  const large = countable.filter(({ name }) => Number(counts.get(name)) >= COUNTED_ROWS)
  const plans = await answersOf(
    reader,
    schemaName,
    large,
    (table) => sql`explain (format json) select from ${tableOf(schemaName, table)}`,
  )
  return new Map(
    [...counts].map(([name, count]) => {
      const plan = plans.get(name)
      return [
        name,
        plan === undefined
          ? { rows: Number(count), isExact: true }
          : { rows: Math.max(COUNTED_ROWS, estimateOf(plan)), isExact: false },
      ]
    }),
  )
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
    const results = await reader.read(schemaName, asked.map(question))
    return asked.map(({ name }, index): [string, string] => [
      name,
      cellText(results[index]?.rows[0]?.[0]) ?? '',
    ])
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

function estimateOf(planText: string): number {
  // Postgres's EXPLAIN determines this shape, so the cast is safe.
  const [plan] = JSON.parse(planText) as { readonly Plan?: { readonly 'Plan Rows'?: number } }[]
  return plan?.Plan?.['Plan Rows'] ?? 0
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
