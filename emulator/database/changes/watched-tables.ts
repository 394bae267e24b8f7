// Finds the tables to capture in a project, and reads the descriptions that decoding their rows needs. Called by
// project-watch.ts.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../core/json.ts'
import type { SchemaName } from '../../core/names.ts'
import type { PrincipalRole } from '../../core/principal.ts'
import { join, literal, type Sql, sql } from '../sql.ts'
import { PART_TYPES, shapesOf, type TypeShape } from '../values/type-shapes.ts'
import type { WatchedColumn, WatchedPolicy, WatchedTable } from './row-change.ts'

/** The layout of a relation's rows in the captured text. A partition may have its columns in another order than its table. */
export interface RowLayout {
  readonly table: WatchedTable
  /** The number of cells in a row's text. */
  readonly width: number
  /** The index of each column's cell in a row's text. */
  readonly places: readonly number[]
  readonly types: readonly TypeShape[]
}

export interface WatchedTables {
  readonly tables: ReadonlyMap<string, WatchedTable>
  /** Layouts by the oid of the written relation, which may be a partition. */
  readonly layouts: ReadonlyMap<number, RowLayout>
}

/** The tables by name; a table includes its partitions. */
export type WantedTables = 'all' | ReadonlySet<string>

const ROLES: readonly PrincipalRole[] = ['anon', 'authenticated', 'service_role']

/** Decodes the result of `describeTables`. */
export function decodeWatchedTables(schemaName: SchemaName, text: string): WatchedTables {
  const described = requireObject(parseJson(text))
  const types = new Map(list(described['types']).map((type) => [Number(type['oid']), type]))
  const typeOf = shapesOf((oid) => types.get(oid))
  const relations = list(described['relations'])
  const tables = new Map<string, WatchedTable>()
  const byOid = new Map<number, WatchedTable>()
  for (const relation of relations)
    if (relation['oid'] === relation['root']) {
      const table = decodeTable(schemaName, relation)
      tables.set(table.name, table)
      byOid.set(table.oid, table)
    }
  const layouts = new Map<number, RowLayout>()
  for (const relation of relations) {
    const table = byOid.get(Number(relation['root']))
    if (table !== undefined)
      layouts.set(Number(relation['oid']), decodeLayout(table, relation, typeOf))
  }
  return { tables, layouts }
}

/** A query for the wanted tables. It excludes the platform's own tables (auth_*), which no subscriber may read. */
export function wantedRelations(schemaName: SchemaName, wanted: WantedTables): Sql {
  const names = wanted === 'all' ? [] : [...wanted].map(literal)
  const isNamed =
    wanted === 'all' ? sql`` : sql`and root.relname = any (array[${join(names)}]::name[])`
  return sql`select relation.oid, root.oid as root
from pg_namespace as namespace
join pg_class as relation on relation.relnamespace = namespace.oid
join pg_class as root on root.oid = coalesce(pg_partition_root(relation.oid), relation.oid)
where namespace.nspname = ${literal(schemaName)} and relation.relkind in ('r', 'p')
  and relation.relpersistence <> 't' and root.relnamespace = namespace.oid
  and relation.relowner <> namespace.nspowner ${isNamed}`
}

/** A query for a JSON description of the relations and of the types of their columns. */
export function describeTables(relations: Sql): Sql {
  return sql`with recursive wanted as (${relations}),
columns as (
  select attribute.*
  from wanted
  join pg_attribute as attribute on attribute.attrelid = wanted.oid
  where attribute.attnum > 0 and not attribute.attisdropped
),
types (oid) as (
  select atttypid from columns
  union
  ${PART_TYPES}
)
select json_build_object(
  'relations', (select coalesce(json_agg(${relationRecord()}), '[]') from wanted join pg_class as relation on relation.oid = wanted.oid),
  'types', (select coalesce(json_agg(${typeRecord()}), '[]') from types join pg_type as type on type.oid = types.oid))`
}

function relationRecord(): Sql {
  return sql`json_build_object(
  'oid', relation.oid::bigint, 'root', wanted.root::bigint, 'name', relation.relname,
  'security', relation.relrowsecurity, 'identity', relation.relreplident,
  'columns', (select coalesce(json_agg(${columnRecord()} order by attribute.attnum), '[]')
    from columns as attribute join pg_type as type on type.oid = attribute.atttypid
    where attribute.attrelid = relation.oid),
  'key', (${indexColumns(sql`index.indisprimary`)}),
  'identityKey', (${indexColumns(sql`index.indisreplident`)}),
  'policies', (select coalesce(json_agg(${policyRecord()} order by policy.polname), '[]')
    from pg_policy as policy where policy.polrelid = relation.oid and policy.polcmd in ('r', '*')))`
}

function columnRecord(): Sql {
  return sql`json_build_object(
  'name', attribute.attname, 'type', type.typname, 'oid', type.oid::bigint,
  'sqlType', format_type(type.oid, -1), 'virtual', attribute.attgenerated = 'v',
  'readers', array(select role from unnest(array[${join(ROLES.map(literal))}]) as role
    where has_column_privilege(role, relation.oid, attribute.attnum, 'select')
      and has_schema_privilege(role, relation.relnamespace, 'usage')))`
}

function indexColumns(isWanted: Sql): Sql {
  return sql`select coalesce(json_agg(attribute.attname order by part.place), '[]')
  from pg_index as index
  cross join unnest(index.indkey::smallint[]) with ordinality as part (attnum, place)
  join columns as attribute on attribute.attrelid = index.indrelid and attribute.attnum = part.attnum
  where index.indrelid = relation.oid and ${isWanted} and part.place <= index.indnkeyatts`
}

function policyRecord(): Sql {
  return sql`json_build_object(
  'name', policy.polname, 'permissive', policy.polpermissive,
  'using', pg_get_expr(policy.polqual, policy.polrelid),
  'roles', array(select role from unnest(array[${join(ROLES.map(literal))}]) as role
    where 0 = any (policy.polroles) or role::regrole = any (policy.polroles)),
  'others', array(select distinct other.relname from pg_depend as needs
    join pg_class as other on other.oid = needs.refobjid
    where needs.classid = 'pg_policy'::regclass and needs.objid = policy.oid
      and needs.refclassid = 'pg_class'::regclass and other.oid <> relation.oid
      and other.relkind in ('r', 'p', 'v', 'm', 'f')))`
}

function typeRecord(): Sql {
  return sql`json_build_object(
  'oid', type.oid::bigint, 'name', type.typname, 'kind', type.typtype,
  'element', case when type.typsubscript = 'array_subscript_handler'::regproc then type.typelem else 0 end::bigint,
  'delimiter', (select element.typdelim from pg_type as element where element.oid = type.typelem),
  'base', type.typbasetype::bigint,
  'fields', (select coalesce(json_agg(json_build_object('name', attname, 'oid', atttypid::bigint) order by attnum), '[]')
    from pg_attribute where type.typtype = 'c' and attrelid = type.typrelid and attnum > 0 and not attisdropped))`
}

function decodeTable(schemaName: SchemaName, relation: JsonObject): WatchedTable {
  const key = texts(relation['key'])
  const identity = identityOf(relation, key)
  const columns = list(relation['columns'])
    .filter((column) => column['virtual'] !== true)
    .map((column) => decodeColumn(column, key, identity))
  return {
    oid: Number(relation['oid']),
    schemaName,
    name: String(relation['name']),
    hasRowSecurity: relation['security'] === true,
    columns,
    key: key.map((name) => columns.findIndex((column) => column.name === name)),
    policies: list(relation['policies']).map(decodePolicy),
  }
}

// In pg_class.relreplident d means default, f full, i index and n nothing.
function identityOf(relation: JsonObject, key: readonly string[]): readonly string[] {
  switch (relation['identity']) {
    case 'f':
      return list(relation['columns']).map((column) => String(column['name']))
    case 'i':
      return texts(relation['identityKey'])
    case 'n':
      return []
    default:
      return key
  }
}

function decodeColumn(
  column: JsonObject,
  key: readonly string[],
  identity: readonly string[],
): WatchedColumn {
  const name = String(column['name'])
  return {
    name,
    type: String(column['type']),
    sqlType: String(column['sqlType']),
    isKey: key.includes(name),
    isIdentity: key.includes(name) || identity.includes(name),
    readers: rolesOf(column['readers']),
  }
}

function decodePolicy(policy: JsonObject): WatchedPolicy {
  const { using } = policy
  return {
    ...(typeof using === 'string' ? { using } : {}),
    name: String(policy['name']),
    isPermissive: policy['permissive'] === true,
    roles: rolesOf(policy['roles']),
    otherRelations: texts(policy['others']),
  }
}

function decodeLayout(
  table: WatchedTable,
  relation: JsonObject,
  typeOf: (oid: number) => TypeShape,
): RowLayout {
  const columns = list(relation['columns'])
  const names = columns.map((column) => String(column['name']))
  const places = table.columns.map(({ name }) => names.indexOf(name))
  return {
    table,
    width: columns.length,
    places,
    types: places.map((place) => typeOf(Number(columns[place]?.['oid']))),
  }
}

function rolesOf(value: JsonValue | undefined): ReadonlySet<PrincipalRole> {
  const names = texts(value)
  return new Set(ROLES.filter((role) => names.includes(role)))
}

function list(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function texts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function requireObject(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw new TypeError('the description of the tables is no JSON object')
  return value
}
