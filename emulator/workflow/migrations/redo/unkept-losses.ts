// Finds the rows and values that new statements lose permanently, because the ledger does not keep the rows of the table
// (kept-rows.ts). A rehearsal runs this SQL before and after the statements, and rolls everything back. Pure.
import { quoteLiteral } from '../../../database/sql.ts'
import { IS_KEPT, MEASURE, OWN_TABLES } from './kept-rows.ts'
import { CONSTANT, MAX_EXAMPLE, WOULD_LOSE } from './losses.ts'

/**
 * SQLSTATE of our own for statements that changed tables whose rows are not kept. The message is a JSON array of table names.
 */
export const HAS_CHANGED = 'TY005'
/** Table with what is known before the statements. This table and the copies exist only in the rehearsal's transaction. */
const NOTES = 'tenantry_watched'
const COPY = 'tenantry_watched_'
const PATH = `perform set_config('search_path', quote_ident(left(current_user::text, -6)), true);`

/**
 * Returns SQL that goes before the statements and notes the tables whose rows are not kept.
 * @param copied names of the tables whose values are compared. Their copies contain texts, so that dropping a type drops no
 * column of a copy.
 * @param withKept whether tables whose rows the ledger keeps are watched, too
 */
export function watchBefore(copied: readonly string[], withKept = false): string {
  return `do $tenantry$
declare one record; size bigint := 0; columns jsonb; list text; usual text; number int;
begin
  ${PATH}
  create table ${NOTES} (id oid, name text, state jsonb, attributes jsonb, columns jsonb);
  for one in ${OWN_TABLES} loop
    ${MEASURE}
    ${withKept ? '' : `if ${IS_KEPT} then size := size + one.bytes; continue; end if;`}
    continue when one.name = '${NOTES}';
    columns := '{}';
    if ${quoteLiteral(JSON.stringify(copied))}::jsonb ? one.name then
      for number, usual in select k.attnum, ${USUAL} from pg_attribute as k left join pg_attrdef as d on d.adrelid = k.attrelid and d.adnum = k.attnum
        where k.attrelid = one.oid and k.attnum > 0 and not k.attisdropped and k.attgenerated = '' loop
        if usual is not null then execute 'select ' || usual into usual; end if;
        columns := columns || jsonb_build_object(number, usual);
      end loop;
      select string_agg(format('%1$I::text as %1$I', attname), ', ') into list from pg_attribute where attrelid = one.oid and attnum > 0 and not attisdropped;
      if one.forced then execute format('alter table %I no force row level security', one.name); end if;
      execute format('create table %I as select %s from only %I', '${COPY}' || one.oid, list, one.name);
      if one.forced then execute format('alter table %I force row level security', one.name); end if;
    end if;
    insert into ${NOTES} select one.oid, one.name, one.state, one.columns, coalesce(jsonb_agg(jsonb_build_object('number', c.key::int, 'usual', c.value,
      'name', k.attname)), '[]') from jsonb_each_text(columns) as c join pg_attribute as k on k.attrelid = one.oid and k.attnum = c.key::int;
  end loop;
end $tenantry$;`
}

/** Returns SQL that goes after the statements. The SQL fails with `HAS_CHANGED` when the statements changed watched tables. */
export function findChanged(): string {
  return `do $tenantry$
declare names jsonb;
begin
  ${PATH}
  select jsonb_agg(w.name) into names from ${NOTES} as w left join (${OWN_TABLES}) as one on one.oid = w.id
    where one.oid is null or one.state <> w.state or not one.columns @> w.attributes;
  if names is not null then raise exception using errcode = '${HAS_CHANGED}', message = names::text; end if;
end $tenantry$;`
}

/** Works like `findChanged` for the copied tables. The SQL fails with `WOULD_LOSE` when rows or values are missing. */
export function findLost(): string {
  return `do $tenantry$
declare one record; part record; lost jsonb := '[]'; present record; source text; gone bigint; found bigint; kept bigint; example text;
begin
  ${PATH}
  for one in select *, '${COPY}' || id as copy from ${NOTES} where to_regclass('${COPY}' || id) is not null order by name loop
    select oid, relname, relforcerowsecurity as forced into present from pg_class where relnamespace = current_schema()::text::regnamespace
      and relkind = 'r' and (oid = one.id or relname = one.name) order by oid = one.id desc limit 1;
    if present.oid is not null and present.forced then execute format('alter table %I no force row level security', present.relname); end if;
    kept := 0;
    if present.oid is not null then execute format('select count(*) from only %I', present.relname) into kept; end if;
    execute format('select count(*) - %s from %I', kept, one.copy) into gone;
    if gone > 0 then
      execute format('select left(to_jsonb(c)::text, ${MAX_EXAMPLE}) from %I as c limit 1', one.copy) into example;
      lost := lost || jsonb_build_object('table', one.name, 'column', null, 'rows', gone, 'example', example);
    end if;
    for part in select c.name, c.usual, k.attname as now from jsonb_to_recordset(one.columns) as c(number int, name text, usual text)
      left join pg_attribute as k on k.attrelid = present.oid and not k.attisdropped and k.attnum > 0
        and case when present.oid = one.id then k.attnum = c.number else k.attname = c.name end order by c.number loop
      source := format('select %1$I as v from %2$I where %1$I is distinct from %3$L', part.name, one.copy, part.usual);
      if part.now is not null then source := source || format(' except all select %I::text from only %I', part.now, present.relname); end if;
      execute format('select count(*) from (%s) as s', source) into found;
      continue when found <= greatest(gone, 0);
      execute format('select left(to_jsonb(c)::text, ${MAX_EXAMPLE}) from %I as c where %I in (%s) limit 1', one.copy, part.name, source) into example;
      lost := lost || jsonb_build_object('table', one.name, 'column', part.name, 'rows', found, 'example', example);
    end loop;
  end loop;
  if lost <> '[]' then raise exception using errcode = '${WOULD_LOSE}', message = lost::text; end if;
end $tenantry$;`
}

// SQL for the constant default of a column, as text like the copied values; null when the column has no constant default.
const USUAL = `case when pg_get_expr(d.adbin, d.adrelid) ~ ${quoteLiteral(CONSTANT.source)}
      then format('(%s)::%s::text', pg_get_expr(d.adbin, d.adrelid), format_type(k.atttypid, k.atttypmod)) end`
