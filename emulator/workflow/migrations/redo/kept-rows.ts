// Keeps the rows that a step changes or drops, so that the step can be undone. The step's own transaction writes the rows to the
// column `undo` of the project's ledger. The column has one part for each group of statements that ran together, with pairs of a
// row before and after. Rows of a table are not kept when the table has more than 1 MB, no primary key, or forced row-level
// security. All kept tables of a step together have at most 8 MB. Only the newest steps keep their rows. Pure.
import type { JsonObject } from '../../../core/json.ts'
import { LEDGER_TABLE } from '../../../core/names.ts'
import { quoteLiteral } from '../../../database/sql.ts'

/** Maximum size of a table's rows in bytes. Rows of a larger table are not kept. */
export const MAX_TABLE_BYTES: number = 1 << 20
/** Maximum size of a table's file in bytes. The rows of a larger file are not measured, and count as too large. */
const MAX_MEASURED_BYTES = 16 << 20
/** Maximum size of the kept rows of all tables before a step, in bytes. */
export const MAX_STEP_BYTES: number = 8 << 20
/** Number of the newest steps of a project whose rows are kept. */
export const MAX_KEPT_STEPS = 10

/** What the ledger records about statements of a step that ran together, and the rows that they changed. */
export interface KeptPart {
  /** Number of the step's statements that ran before these statements. */
  readonly start: number
  /** For each table whose rows changed, the columns of its primary key. */
  readonly tables: Readonly<Record<string, readonly string[]>>
  /** Tables that the statements changed, but whose rows were not kept. */
  readonly unkept: readonly string[]
}

/** The record for a step of a clone. The step changed no rows there, because a clone has no rows of its template. */
export const NO_ROWS: KeptPart = { start: 0, tables: {}, unkept: [] }

/** Reads the answer of `READ_KEPT`. */
export function keptOfRows(rows: readonly JsonObject[]): ReadonlyMap<string, readonly KeptPart[]> {
  // Only `keepAfter` writes the column, so the cast is safe.
  return new Map(
    rows.map(({ parts, version }) => [String(version), parts as unknown as readonly KeptPart[]]),
  )
}

/**
 * Query for db/exec: version and `KeptPart`s of the steps that keep rows. Fails with SQLSTATE 42703 when no step has kept rows
 * yet, because the ledger then lacks the column `undo`.
 */
export const READ_KEPT: string = `select version, (
  select jsonb_agg(jsonb_build_object('start', part->'start', 'unkept', part->'unkept', 'tables', (
    select coalesce(jsonb_object_agg(name, kept->'key'), '{}') from jsonb_each(part->'tables') as t(name, kept))) order by number)
  from jsonb_array_elements(undo) with ordinality as p(part, number)) as parts
from ${LEDGER_TABLE} where undo is not null`

/**
 * Returns SQL on one line that copies rows into the ledger before the statements of a step run. The SQL goes after the step's
 * entry in the ledger.
 * @param start number of the step's statements that ran before
 */
export function keepBefore(version: string, start: number): string {
  return oneLine(`
alter table ${LEDGER_TABLE} add column if not exists undo jsonb;
do $tenantry$
declare one record; kept jsonb := '{}'; others jsonb := '{}'; size bigint := 0; found jsonb; filled boolean;
begin
  for one in ${OWN_TABLES} loop
    ${MEASURE}
    if ${IS_KEPT} then
      execute format('select coalesce(jsonb_agg(to_jsonb(x)), ''[]'') from only %I as x', one.name) into found;
      kept := kept || jsonb_build_object(one.name, jsonb_build_object('key', one.key, 'rows', found));
      size := size + one.bytes;
    else
      ${IS_FILLED}
      others := others || jsonb_build_object(one.name, jsonb_build_object('columns', one.columns, 'state', one.state, 'filled', filled));
    end if;
  end loop;
  update ${LEDGER_TABLE} set undo = coalesce(undo, '[]') || jsonb_build_array(jsonb_build_object('start', ${start}, 'kept', kept, 'others', others))
    where version = ${quoteLiteral(version)};
end $tenantry$;`)
}

/** Returns SQL that goes after the statements of a step. The SQL keeps only the copied rows that the statements changed. */
export function keepAfter(version: string): string {
  return oneLine(`
do $tenantry$
declare part jsonb; one record; kept jsonb; pairs jsonb; tables jsonb := '{}'; unkept jsonb := '[]'; empty jsonb; key text; filled boolean;
begin
  perform set_config('search_path', quote_ident(left(current_user::text, -6)), true);
  select undo->-1 into part from ${LEDGER_TABLE} where version = ${quoteLiteral(version)};
  if part is null then return; end if;
  for one in ${OWN_TABLES} loop
    ${MEASURE}
    kept := part->'kept'->one.name;
    if kept is not null then
      select string_agg(format('r->%L', column_name), ', ') into key from jsonb_array_elements_text(kept->'key') as column_name;
      select jsonb_object_agg(column_name, null) into empty from (select jsonb_object_keys(one.columns) as column_name union select jsonb_object_keys(kept->'rows'->0)) as c;
      execute format('select coalesce(jsonb_agg(jsonb_build_array(b.r, a.r)), ''[]'') from (select r, jsonb_build_array(%1$s) as k from jsonb_array_elements($1) as r) as b full join (select r, jsonb_build_array(%1$s) as k from (select to_jsonb(x) as r from only %2$I as x) as y) as a on a.k = b.k where ($2 || b.r) is distinct from ($2 || a.r)', key, one.name)
        into pairs using kept->'rows', empty;
    elsif part->'others'->one.name is not null then
      pairs := '[]';
      ${IS_FILLED}
      filled := filled or (part->'others'->one.name->'filled')::boolean;
      if filled and (part->'others'->one.name->'state' <> one.state or not (one.columns @> (part->'others'->one.name->'columns'))) then
        unkept := unkept || to_jsonb(one.name);
      end if;
    elsif ${IS_SMALL} then
      execute format('select coalesce(jsonb_agg(jsonb_build_array(null, to_jsonb(x))), ''[]'') from only %I as x', one.name) into pairs;
    else pairs := '[]';
    end if;
    if jsonb_array_length(pairs) > 0 then
      tables := tables || jsonb_build_object(one.name, jsonb_build_object('key', coalesce(kept->'key', one.key), 'pairs', pairs));
    end if;
    part := jsonb_set(jsonb_set(part, '{kept}', (part->'kept') - one.name), '{others}', (part->'others') - one.name);
  end loop;
  for one in select name, dropped from jsonb_each(part->'kept') as t(name, dropped) loop
    select coalesce(jsonb_agg(jsonb_build_array(r, null)), '[]') into pairs from jsonb_array_elements(one.dropped->'rows') as r;
    if jsonb_array_length(pairs) > 0 then
      tables := tables || jsonb_build_object(one.name, jsonb_build_object('key', one.dropped->'key', 'pairs', pairs));
    end if;
  end loop;
  select unkept || coalesce(jsonb_agg(name), '[]') into unkept from jsonb_each(part->'others') as other(name, was) where (was->'filled')::boolean;
  update ${LEDGER_TABLE} set undo = (undo - (-1)) || jsonb_build_array(jsonb_build_object('start', part->'start', 'tables', tables, 'unkept', unkept))
    where version = ${quoteLiteral(version)};
  update ${LEDGER_TABLE} set undo = null
    where version not in (select m.version from ${LEDGER_TABLE} as m order by m.version desc limit ${MAX_KEPT_STEPS});
end $tenantry$;`)
}

/** Returns SQL on one line for each of these steps, which deletes the kept rows of the step. */
export function forgetParts(versions: readonly string[]): readonly string[] {
  return versions.map(
    (version) => `update ${LEDGER_TABLE} set undo = null where version = ${quoteLiteral(version)};`,
  )
}

/** Returns SQL on one line that records for every step of a clone that the step changed no rows in the clone. */
export function keepNothing(): string {
  const parts = quoteLiteral(JSON.stringify([NO_ROWS]))
  return `alter table ${LEDGER_TABLE} add column if not exists undo jsonb; update ${LEDGER_TABLE} set undo = ${parts};`
}

/** Returns a subquery with the pairs of rows of a table: `b` before and `a` after the step. A missing row is JSON's null. */
export function pairsOf(version: string, part: number, table: string): string {
  const pairs = `m.undo->${part}->'tables'->${quoteLiteral(table)}->'pairs'`
  return `(select p->0 as b, p->1 as a from ${LEDGER_TABLE} as m, jsonb_array_elements(${pairs}) as p where m.version = ${quoteLiteral(version)})`
}

/**
 * Query for the tables of the project's owner, the smallest first. Each row has the columns of the primary key, and a `state`
 * that differs after rows were inserted, updated, deleted or truncated.
 */
export const OWN_TABLES: string = `select c.oid, c.relname::text as name, c.relforcerowsecurity as forced, pg_relation_size(c.oid) + coalesce(pg_relation_size(nullif(c.reltoastrelid, 0)), 0) as bytes,
    (select jsonb_agg(k.attname order by k.attnum) from pg_index as i join pg_attribute as k on k.attrelid = i.indrelid and k.attnum = any (i.indkey)
      where i.indrelid = c.oid and i.indisprimary) as key,
    (select coalesce(jsonb_object_agg(k.attname, k.atttypid::text), '{}') from pg_attribute as k
      where k.attrelid = c.oid and k.attnum > 0 and not k.attisdropped) as columns,
    to_jsonb(concat_ws(' ', c.oid, c.relfilenode, pg_stat_get_xact_tuples_inserted(c.oid), pg_stat_get_xact_tuples_updated(c.oid),
      pg_stat_get_xact_tuples_deleted(c.oid))) as state
  from pg_class as c where c.relnamespace = current_schema()::text::regnamespace and c.relkind = 'r'
    and c.relowner = current_user::regrole and c.relname <> '${LEDGER_TABLE}' order by bytes`

const HAS_KEY = 'one.key is not null and not one.forced'
const IS_SMALL = `${HAS_KEY} and one.bytes <= ${MAX_TABLE_BYTES}`

/**
 * Statement for the loop over tables: measures the rows of a table of medium size, because its file also contains deleted rows.
 */
export const MEASURE: string = `if ${HAS_KEY} and one.bytes between ${MAX_TABLE_BYTES + 1} and ${MAX_MEASURED_BYTES} then execute format('select coalesce(sum(pg_column_size(x)), 0) from only %I as x', one.name) into one.bytes; end if;`

/**
 * Statement for the loop over tables: whether a table has rows. A table with forced row-level security counts as filled, because
 * its owner may not see the rows.
 */
const IS_FILLED = `execute format('select $1 or exists (select from only %I)', one.name) into filled using one.forced;`

/**
 * Condition in the loop over tables: whether the rows of the table `one` are kept. `size` is the total of the tables before it.
 */
export const IS_KEPT: string = `${IS_SMALL} and size + one.bytes <= ${MAX_STEP_BYTES}`

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ')
}
