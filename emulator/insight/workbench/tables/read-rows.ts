// Reads one page of a table's rows as the owner or an identity, and counts the rows on all pages. Reads the present rows, or those
// of a past instant.
import type { RowsPage } from '../../../contract/tables.ts'
import { cellText, rowsLeftOut, SqlError, type StatementResult } from '../../../database/engine.ts'
import type { EngineRehearsals } from '../../../database/rehearsal.ts'
import { identifier, type Sql, sql } from '../../../database/sql.ts'
import { type PastDeps, type TakenBackState, takeBackTo } from '../../history/past-instant.ts'
import { askPast } from '../../history/past-reads.ts'
import { columnList, type RowSelection, selectionStatements } from '../../tables/select-rows.ts'
import { actorOf, READ_MILLIS, type RowAccess, type RowAccessDeps, readAs } from './row-access.ts'

export interface ReadRowsDeps extends RowAccessDeps, Pick<PastDeps, 'journal'> {
  readonly rehearsals: EngineRehearsals
}

/** Maximum size of a page's cells: 32 MiB. Further rows of the page are left out. */
const MAX_BYTES = { maxResultBytes: 32 << 20 } as const

/**
 * @param instant a past instant (contract/history.ts); the present when undefined
 * @throws {InspectorError} `invalid_request`
 * @throws {SqlError}
 */
export async function readRows(
  deps: ReadRowsDeps,
  access: RowAccess,
  selection: RowSelection,
  instant: string | undefined,
): Promise<RowsPage> {
  const { columns } = access.table
  const statements = selectionStatements(access.table, selection, columnList(columns))
  if (instant === undefined) {
    const results = await readAs(deps, access, statements, MAX_BYTES)
    return pageOf(access, results, rowsLeftOut(results[1]))
  }
  const past = await takeBackTo(deps, access.schemaName, instant)
  const { gaps, results } = await readPast(deps, access, past, statements)
  const [{ total }, read] = [pageOf(access, results, 0), results[1]?.rows.length ?? 0]
  const asked = Math.min(selection.limit, Math.max(0, total - selection.offset))
  return {
    ...pageOf(access, results, asked - read),
    past: { ...past.state, gaps: [...past.state.gaps, ...gaps] },
  }
}

type Results = readonly Pick<StatementResult, 'rows'>[]

function pageOf(
  { table }: RowAccess,
  [counted, read]: Results,
  leftOut: number,
): Omit<RowsPage, 'past'> {
  return {
    columns: table.columns.map(({ name, type, isKey }) => ({ name, type, is_key: isKey })),
    rows: (read?.rows ?? []).map((row) => row.map((cell) => cellText(cell) ?? null)),
    rows_left_out: leftOut,
    total: Number(cellText(counted?.rows[0]?.[0]) ?? 0),
  }
}

async function readPast(
  { rehearsals }: ReadRowsDeps,
  { principal, schemaName, signal, table }: RowAccess,
  past: TakenBackState,
  statements: readonly Sql[],
): Promise<{ readonly results: Results; readonly gaps: readonly string[] }> {
  const { actor, settings } = actorOf(schemaName, principal)
  const questions = statements.map((statement) => ({
    role: actor.role,
    settings: {},
    statement,
    questions: [{ settings, params: statement.params }],
  }))
  // The owner reads in place of the row reader, which no policy restricts.
  const finishing =
    principal === undefined && table.forcesRowSecurity
      ? [sql`alter table ${identifier(schemaName, table.name)} no force row level security`]
      : []
  const { restoring, statements: back } = past
  const asked = { finishing, restoring, statements: back }
  const { answers, gaps } = await askPast(rehearsals, schemaName, asked, questions, {
    ...MAX_BYTES,
    timeoutMillis: READ_MILLIS,
    signal,
  })
  const results = answers.map((rows) => {
    if (rows instanceof SqlError) throw rows
    return { rows }
  })
  return { results, gaps }
}
