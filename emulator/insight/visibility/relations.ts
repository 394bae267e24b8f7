// Describes the relations of a schema, read inside a rehearsal's transaction. The description contains their readers, the columns
// that identify a row, and what the scripts have changed so far. Pure.
import { LEDGER_TABLE, type SchemaName } from '../../core/names.ts'
import { literal, type Sql, sql } from '../../database/sql.ts'

export type ReadingRole = 'anon' | 'authenticated'

export interface Relation {
  readonly oid: number
  readonly name: string
  /** Bytes of a table's rows; 0 for views. */
  readonly bytes: number
  readonly columns: readonly RelationColumn[]
  /** Numbers of the primary key's columns; empty without a primary key. */
  readonly key: readonly number[]
  /**
   * Number of policies and partitions of the relation. A lower number shows that one of them was dropped, which leaves no changed
   * catalogue row behind.
   */
  readonly parts: number
  /** Whether a script changed the relation, its columns, policies or privileges. */
  readonly isChanged: boolean
  /** Number of rows that were inserted, updated and deleted so far, also by other requests. */
  readonly rowsChanged: number
  /** Oids of the relations that its policies or its view read, and of its partitions. */
  readonly readsFrom: readonly number[]
  /** Whether its policies or its view call functions of the project, which can read anything. */
  readonly callsFunctions: boolean
}

export interface RelationColumn {
  readonly number: number
  readonly name: string
  readonly type: number
  /** Roles that may read the column. */
  readonly readers: readonly ReadingRole[]
}

export interface SchemaState {
  readonly relations: readonly Relation[]
  /** Oids of relations that another request created: no script changed them, and the state before does not contain them. */
  readonly unknown: readonly number[]
  readonly routines: number
  /** Whether a script changed a function, or a value of an enum that existed before. */
  readonly areRoutinesChanged: boolean
  readonly areEnumsChanged: boolean
}

// While a rehearsal's transaction runs, no other transaction runs. All transaction ids from the rehearsal's own id on therefore
// belong to the rehearsal (subtransactions included).
const FIRST_XID: Sql = sql`(select coalesce(pg_catalog.pg_current_xact_id_if_assigned()::pg_catalog.xid::text::pg_catalog.int8, 9223372036854775807))`

function isNew(alias: Sql): Sql {
  return sql`${alias}.xmin::pg_catalog.text::pg_catalog.int8 >= ${FIRST_XID}`
}

/**
 * Returns one row with one JSON array for each relation of the schema, and a last row about the whole schema.
 * @param which `changed` returns only the oid of a relation that no script changed, which takes less time
 */
export function stateQuery(schemaName: SchemaName, which: 'all' | 'changed'): Sql {
  const schema = schemaOid(schemaName)
  const oidOnly = sql`pg_catalog.json_build_array(c.oid::pg_catalog.int8)`
  return sql`select (${which === 'all' ? RELATION : sql`case when change.is_new then ${RELATION} else ${oidOnly} end`})::pg_catalog.text
from ${inSchema(sql`pg_catalog.pg_class`, sql`c`)}
cross join lateral (
  select ${isNew(sql`c`)} or ${hasNew(sql`pg_catalog.pg_attribute`, sql`attrelid`)} or ${hasNew(sql`pg_catalog.pg_policy`, sql`polrelid`)}
    or ${hasNew(sql`pg_catalog.pg_rewrite`, sql`ev_class`)} or ${hasNew(sql`pg_catalog.pg_inherits`, sql`inhparent`)} as is_new offset 0) as change
where ${isRelationOf(schema)}
union all
select pg_catalog.json_build_array(
  coalesce((select pg_catalog.bool_or(${isNew(sql`f`)}) from ${inSchema(sql`pg_catalog.pg_proc`, sql`f`)}
    where ${dependsOn(sql`pg_catalog.pg_proc`, schema)}), false),
  exists (select from pg_catalog.pg_enum as e join pg_catalog.pg_type as t on t.oid = e.enumtypid
    where t.typnamespace = ${schema} and ${isNew(sql`e`)} and not ${isNew(sql`t`)}),
  (select pg_catalog.count(*) from ${inSchema(sql`pg_catalog.pg_proc`, sql`f`)}
    where ${dependsOn(sql`pg_catalog.pg_proc`, schema)}))::pg_catalog.text`
}

const ROWS_CHANGED: Sql = sql`pg_catalog.pg_stat_get_xact_tuples_inserted(c.oid)
    + pg_catalog.pg_stat_get_xact_tuples_updated(c.oid) + pg_catalog.pg_stat_get_xact_tuples_deleted(c.oid)`
const PARTS: Sql = sql`(select pg_catalog.count(*) from pg_catalog.pg_policy as p where p.polrelid = c.oid)
    + (select pg_catalog.count(*) from pg_catalog.pg_inherits as i where i.inhparent = c.oid)`
const PARTITIONS: Sql = sql`array(select i.inhrelid::pg_catalog.int8 from pg_catalog.pg_inherits as i where i.inhparent = c.oid)`

// The dependencies of a relation's policies and rules: the oids of relations, and whether they call functions of the project.
const NEEDS: Sql = sql`(
  select pg_catalog.json_build_array(
    coalesce(pg_catalog.array_agg(distinct d.refobjid::pg_catalog.int8) filter (where d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid <> c.oid), '{}') || ${PARTITIONS},
    coalesce(pg_catalog.bool_or(d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass and exists (
      select from pg_catalog.pg_proc as f where f.oid = d.refobjid and f.pronamespace = c.relnamespace)
      or d.refclassid = 'pg_catalog.pg_operator'::pg_catalog.regclass and exists (
      select from pg_catalog.pg_operator as o where o.oid = d.refobjid and o.oprnamespace = c.relnamespace)), false))
  from (
    select p.oid, 'pg_catalog.pg_policy'::pg_catalog.regclass as catalogue from pg_catalog.pg_policy as p where p.polrelid = c.oid
    union all
    select r.oid, 'pg_catalog.pg_rewrite'::pg_catalog.regclass from pg_catalog.pg_rewrite as r where r.ev_class = c.oid
  ) as part
  join pg_catalog.pg_depend as d on d.classid = part.catalogue and d.objid = part.oid)`

/** Returns the oid and the counters `rowsChanged` and `parts` of each relation, without planning the whole `stateQuery`. */
export function countsQuery(schemaName: SchemaName): Sql {
  return sql`select c.oid, ${ROWS_CHANGED}, ${PARTS} from ${inSchema(sql`pg_catalog.pg_class`, sql`c`)} where ${isRelationOf(schemaOid(schemaName))}`
}

function schemaOid(schemaName: SchemaName): Sql {
  return sql`(select oid from pg_catalog.pg_namespace where nspname = ${literal(schemaName)})`
}

function isRelationOf(schema: Sql): Sql {
  return sql`${dependsOn(sql`pg_catalog.pg_class`, schema)} and c.relkind in ('r', 'p', 'v', 'm') and c.relname <> ${literal(LEDGER_TABLE)}`
}

// Uses an aggregate, because Postgres would turn "exists" into one scan of the catalogue for all projects.
function hasNew(catalogue: Sql, reference: Sql): Sql {
  return sql`coalesce((select pg_catalog.bool_or(${isNew(sql`part`)}) from ${catalogue} as part where part.${reference} = c.oid), false)`
}

// pg_class and pg_proc have no index for the objects of a schema, so the query uses pg_depend: every object depends on its
// schema.
function inSchema(catalogue: Sql, alias: Sql): Sql {
  return sql`pg_catalog.pg_depend as member join ${catalogue} as ${alias} on ${alias}.oid = member.objid`
}

function dependsOn(catalogue: Sql, schema: Sql): Sql {
  return sql`member.classid = ${literalOf(catalogue)} and member.objsubid = 0
  and member.refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass and member.refobjid = ${schema}`
}

function literalOf(catalogue: Sql): Sql {
  return sql`${literal(catalogue.text)}::pg_catalog.regclass`
}

// Encodes the roles that may read a column: 0 none, 1 anon, 2 authenticated, 3 both.
const COLUMNS: Sql = sql`coalesce((
    select pg_catalog.json_agg(pg_catalog.json_build_array(a.attnum, a.attname, a.atttypid::pg_catalog.int8,
      ${readable('anon', 1)} + ${readable('authenticated', 2)}) order by a.attnum)
    from pg_catalog.pg_attribute as a
    cross join (select pg_catalog.has_table_privilege('anon', c.oid, 'SELECT') as anon,
      pg_catalog.has_table_privilege('authenticated', c.oid, 'SELECT') as authenticated offset 0) as whole
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '[]')`

function readable(role: ReadingRole, bit: number): Sql {
  const name = role === 'anon' ? sql`whole.anon` : sql`whole.authenticated`
  return sql`case when ${name} or (a.attacl is not null
    and pg_catalog.has_column_privilege(${literal(role)}, c.oid, a.attnum, 'SELECT')) then ${literal(String(bit))}::pg_catalog.int4 else 0 end`
}

// The members have the same order as in `RelationRow`.
const RELATION: Sql = sql`pg_catalog.json_build_array(c.oid::pg_catalog.int8, c.relname,
  case when c.relkind in ('r', 'm') then pg_catalog.pg_relation_size(c.oid) else 0 end,
  ${COLUMNS},
  coalesce((select i.indkey::pg_catalog.int2[] from pg_catalog.pg_index as i where i.indrelid = c.oid and i.indisprimary), '{}'),
  change.is_new, ${ROWS_CHANGED}, ${NEEDS}, ${PARTS})`

type RelationRow = readonly [
  oid: number,
  name: string,
  bytes: number,
  columns: readonly (readonly [number: number, name: string, type: number, readers: number])[],
  key: readonly number[],
  isChanged: boolean,
  rowsChanged: number,
  needs: readonly [readsFrom: readonly number[], callsFunctions: boolean],
  parts: number,
]

/**
 * Decodes the rows of `stateQuery`, each a JSON text.
 * @param before the state of the relations that the query left out
 */
export function readState(texts: readonly string[], before?: SchemaState): SchemaState {
  const former = new Map(before?.relations.map((relation) => [relation.oid, relation]))
  const rows = texts.map((text): readonly unknown[] => JSON.parse(text))
  const [areRoutinesChanged, areEnumsChanged, routines] = rows.at(-1) ?? []
  const relations: Relation[] = []
  const unknown: number[] = []
  for (const row of rows.slice(0, -1)) {
    const oid = Number(row[0])
    const relation = row.length === 1 ? former.get(oid) : toRelation(row as unknown as RelationRow)
    if (relation === undefined) unknown.push(oid)
    else relations.push(relation)
  }
  return {
    relations,
    unknown,
    routines: Number(routines),
    areRoutinesChanged: areRoutinesChanged === true,
    areEnumsChanged: areEnumsChanged === true,
  }
}

function toRelation(row: RelationRow): Relation {
  const [oid, name, bytes, columns, key, isChanged, rowsChanged, needs, parts] = row
  const [readsFrom, callsFunctions] = needs
  return {
    oid,
    name,
    bytes,
    columns: columns.map(toColumn),
    key,
    parts,
    isChanged,
    rowsChanged,
    readsFrom,
    callsFunctions,
  }
}

function toColumn([number, name, type, readers]: readonly [
  number,
  string,
  number,
  number,
]): RelationColumn {
  return {
    number,
    name,
    type,
    readers: [
      ...((readers & 1) === 0 ? [] : (['anon'] as const)),
      ...((readers & 2) === 0 ? [] : (['authenticated'] as const)),
    ],
  }
}
