// Finds the rows of a file that Postgres refuses. Inserts each row alone, with the rights of the import, in a transaction that
// is rolled back. Earlier rows stay inserted until the rollback, so that duplicates within the file are found.
import { isJsonObject, parseJson } from '../../../../core/json.ts'
import { cellText } from '../../../../database/engine.ts'
import { literal, type Sql, sql } from '../../../../database/sql.ts'
import { tableOf } from '../../../tables/table.ts'
import { type RowAccess, type RowAccessDeps, writeAs } from '../row-access.ts'
import { type ImportProblem, MAX_PROBLEMS } from './file-row.ts'
import { type Batch, intoColumns } from './row-batches.ts'

/** Returns at most `MAX_PROBLEMS` problems, or none when no row fails alone. @throws {SqlError} */
export async function findProblems(
  deps: Pick<RowAccessDeps, 'engine'>,
  access: RowAccess,
  batches: readonly Batch[],
): Promise<readonly ImportProblem[]> {
  const statements = batches.flatMap((batch) => trial(access, batch))
  const { results } = await writeAs(
    deps,
    access,
    [
      sql`set constraints all immediate`,
      setting(PROBLEMS, '[]'),
      setting(DONE, '0'),
      ...statements,
      sql`select pg_catalog.current_setting(${PROBLEMS})`,
    ],
    'rollback',
  )
  const rows = batches.flatMap((batch) => batch.rows)
  const found = parseJson(cellText(results.at(-1)?.rows[0]?.[0]) ?? '[]')
  return (Array.isArray(found) ? found : []).filter(isJsonObject).map((problem) => ({
    line: rows[Number(problem['row']) - 1]?.line ?? null,
    column: typeof problem['column'] === 'string' ? problem['column'] : null,
    message: String(problem['message']),
  }))
}

const GIVEN = 'tenantry.import_rows'
const PROBLEMS = 'tenantry.import_problems'
/** Maximum length of a message in characters. Messages of Postgres can quote whole values. */
const MAX_MESSAGE = 500
const DONE = 'tenantry.import_done'

function setting(name: string, value: string): Sql {
  return sql`select pg_catalog.set_config(${name}, ${value}, true)`
}

// Inserts the rows one by one in PL/pgSQL. `when others` does not catch a cancelled statement, so a cancellation still ends
// the transaction.
function trial(access: RowAccess, batch: Batch): readonly Sql[] {
  const { rows } = batch
  const table = tableOf(access.schemaName, access.table)
  const insertion = sql`${intoColumns(access, batch)} json_populate_record(null::${table}, tenantry_row.value) as given`
  const body = `#variable_conflict use_column
declare
  tenantry_row record;
  tenantry_done integer := pg_catalog.current_setting('${DONE}');
  tenantry_problems pg_catalog.jsonb := pg_catalog.current_setting('${PROBLEMS}');
  tenantry_message text;
  tenantry_detail text;
  tenantry_column text;
begin
  for tenantry_row in
    select value, ordinality
    from pg_catalog.json_array_elements(pg_catalog.current_setting('${GIVEN}')::pg_catalog.json) with ordinality
  loop
    exit when pg_catalog.jsonb_array_length(tenantry_problems) operator(pg_catalog.>=) ${MAX_PROBLEMS};
    begin
      ${insertion.text};
    exception when others then
      get stacked diagnostics
        tenantry_message = message_text, tenantry_detail = pg_exception_detail, tenantry_column = column_name;
      tenantry_problems := tenantry_problems operator(pg_catalog.||) pg_catalog.jsonb_build_array(
        pg_catalog.jsonb_build_object(
          'row', tenantry_done operator(pg_catalog.+) tenantry_row.ordinality,
          'column', nullif(tenantry_column, ''),
          'message', pg_catalog.left(
            pg_catalog.concat_ws(' ', tenantry_message, nullif(tenantry_detail, '')), ${MAX_MESSAGE})));
    end;
  end loop;
  perform pg_catalog.set_config('${PROBLEMS}', tenantry_problems::text, true);
  perform pg_catalog.set_config('${DONE}', (tenantry_done operator(pg_catalog.+) ${rows.length})::text, true);
end`
  return [setting(GIVEN, `[${rows.map(({ json }) => json).join(',')}]`), sql`do ${literal(body)}`]
}
