// Compiles insert, update and delete (PostgREST, "Tables and Views"). Pure; never throws.
import { EMPTY, join, type Sql, sql } from '../../../database/sql.ts'
import { type MutatePlan, SOURCE_NAME } from '../plan/plan.ts'
import type { QualifiedName } from '../settings.ts'
import { clause, columnOf, local, quoted, sourceName } from './fragments.ts'
import { fromBody } from './json-body.ts'
import { conditionOf } from './predicate.ts'

type Insert = Extract<MutatePlan, { kind: 'insert' }>
type Update = Extract<MutatePlan, { kind: 'update' }>

const BODY = local('pgrst_body')

/** Compiles a statement that returns the changed rows. */
export function compileMutate(plan: MutatePlan): Sql {
  switch (plan.kind) {
    case 'insert':
      return compileInsert(plan)
    case 'update':
      return compileUpdate(plan)
    case 'delete': {
      const conditions = plan.where.map((tree) => conditionOf(plan.target, tree))
      return sql`delete from ${sourceName(plan.target)} ${clause(sql`where`, conditions, ' and ')} ${returning(plan.target, plan.returning)}`
    }
    default:
      return plan satisfies never
  }
}

function compileInsert(plan: Insert): Sql {
  const { target, columns, conflict } = plan
  const names = columns.map(({ name }) => quoted(name))
  const list = names.length === 0 ? EMPTY : sql`(${join(names)}) `
  const values = join(columns.map(({ name }) => columnOf(BODY, name)))
  const rows = fromBody(plan.body, columns, {
    appliesDefaults: plan.appliesDefaults,
    isSingle: false,
  })
  const isMerging = conflict?.resolution === 'merge-duplicates'
  const tests = plan.conditions.map((tree) => conditionOf(BODY, tree))
  const counted = isMerging || tests.length > 0 ? [countInserted(1), ...tests] : []
  return sql`insert into ${sourceName(target)} ${list}select ${values} ${rows} ${clause(sql`where`, counted, ' and ')}${conflictClause(plan)} ${returning(target, plan.returning)}`
}

function conflictClause({ conflict, columns }: Insert): Sql {
  if (conflict === undefined || conflict.columns.length === 0) return EMPTY
  const target = sql` on conflict (${join(conflict.columns.map(quoted))})`
  if (conflict.resolution === 'ignore-duplicates' || columns.length === 0)
    return sql`${target} do nothing`
  const changes = columns.map(({ name }) => sql`${quoted(name)} = excluded.${quoted(name)}`)
  return sql`${target} do update set ${join(changes)} where ${countInserted(-1)}`
}

// Counts the inserted rows in the setting `pgrst.inserted`: every row adds 1, and a row that updates an existing row subtracts 1.
// The sum decides between status 201 and 200. The returned condition is always true, so it excludes no row.
function countInserted(step: 1 | -1): Sql {
  const known = sql`coalesce(nullif(current_setting('pgrst.inserted', true), '')::int, 0)`
  return step === 1
    ? sql`set_config('pgrst.inserted', (${known} + 1)::text, true) <> '0'`
    : sql`set_config('pgrst.inserted', (${known} - 1)::text, true) <> '-1'`
}

// Updates no row when there are no columns to set. The statement still fails if a selected column does not exist.
function compileUpdate(plan: Update): Sql {
  const { target, columns } = plan
  if (columns.length === 0) {
    const rows = plan.returning.map((name) => columnOf(target, name))
    return sql`select ${rows.length === 0 ? sql`null` : join(rows)} from ${sourceName(target)} where false`
  }
  const changes = columns.map(({ name }) => sql`${quoted(name)} = ${columnOf(BODY, name)}`)
  const rows = fromBody(plan.body, columns, {
    appliesDefaults: plan.appliesDefaults,
    isSingle: false,
  })
  const conditions = plan.where.map((tree) => conditionOf(target, tree))
  return sql`update ${sourceName(target)} set ${join(changes)} ${rows} ${clause(sql`where`, conditions, ' and ')} ${returning(target, plan.returning)}`
}

// When no columns are needed, returns a constant for each row, so that rows can be counted.
function returning(target: QualifiedName, columns: readonly string[]): Sql {
  if (columns.length === 0) return sql`returning 1`
  return sql`returning ${join(columns.map((name) => columnOf(target, name)))}`
}

/**
 * Key of a single inserted row, as JSON pairs of name and filter, for the `Location` header. The value is null unless exactly
 * one row was inserted.
 */
export function locationOf(keyColumns: readonly string[]): Sql {
  const keys = sql`${arrayOf(keyColumns)}::text[]`
  return sql`case when pg_catalog.count(_postgrest_t) = 1 then (
select json_agg(json_build_array(pair.key, coalesce('eq.' || pair.value, 'is.null')))::text
from (select row_to_json(inserted) as row from ${quoted(SOURCE_NAME)} as inserted limit 1) as first
cross join json_each_text(first.row) as pair
where pair.key = any (${keys})) end`
}

function arrayOf(names: readonly string[]): Sql {
  return sql`array[${join(names.map((name) => sql`${name}`))}]`
}
