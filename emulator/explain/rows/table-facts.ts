// What explanations need to know of a project's relations: columns, policies, and what each role of a request may, read from
// the catalogue. Expressions come as Postgres writes them under the project's own search path, which is also the path they
// are evaluated under, so that text shown and text run are one.
import type { RowCommand } from '../../contract/values.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../core/json.ts'
import type { SchemaName } from '../../core/names.ts'
import type { PrincipalRole } from '../../core/principal.ts'
import { searchPathOf } from '../../database/as-principal.ts'
import { cellText } from '../../database/engine.ts'
import type { RowReader } from '../../database/row-reader.ts'
import { literal, type Sql, sql } from '../../database/sql.ts'

export type RelationKind =
  | 'table'
  | 'partitioned_table'
  | 'view'
  | 'materialized_view'
  | 'foreign_table'

export interface ColumnFacts {
  readonly name: string
  /** As Postgres writes the type. */
  readonly type: string
  readonly isKey: boolean
  /** Kind of its type: array or composite values are no JSON strings. */
  readonly shape: 'plain' | 'array' | 'composite' | 'json'
  /** Expression of a generated column. */
  readonly generation: string | null
  /** Expression that fills it when an INSERT names no value; none for identity columns. */
  readonly default: string | null
  /** The default takes a number from a sequence. */
  readonly isNumbered: boolean
}

export interface PolicyFacts {
  readonly name: string
  readonly permissive: boolean
  readonly command: 'all' | RowCommand
  /** Role names; `public` is every role. */
  readonly roles: readonly string[]
  readonly using: string | null
  readonly check: string | null
  /** Roles of a request that it applies to, directly or by membership. */
  readonly appliesTo: ReadonlySet<PrincipalRole>
}

/** What one role of a request may do with the relation. */
export interface RoleAccess {
  /** USAGE on the schema. */
  readonly schema: boolean
  /** BYPASSRLS. */
  readonly bypasses: boolean
  /** Has the rights of the relation's owner. */
  readonly owns: boolean
  /** Privileges on the whole relation, upper case, in alphabetical order: `SELECT`. */
  readonly privileges: readonly string[]
  /** Privilege → columns it is granted on alone. */
  readonly columns: Readonly<Record<string, readonly string[]>>
}

export interface TableFacts {
  readonly schemaName: SchemaName
  readonly oid: number
  readonly name: string
  readonly kind: RelationKind
  /** One of the platform's own `auth_*` tables. */
  readonly isClosed: boolean
  readonly rlsEnabled: boolean
  readonly rlsForced: boolean
  /** A view that reads with its caller's rights. */
  readonly securityInvoker: boolean
  /** A view's tables have policies that its owner's rights pass by. */
  readonly bypassedTables: readonly string[]
  readonly owner: string
  readonly columns: readonly ColumnFacts[]
  /** In the primary key's order; empty without one. */
  readonly key: readonly string[]
  /** By name. */
  readonly policies: readonly PolicyFacts[]
  readonly access: Readonly<Record<PrincipalRole, RoleAccess>>
}

export const ROLES: readonly PrincipalRole[] = ['anon', 'authenticated', 'service_role']

/** Reads one relation, or all of the project's by name. @throws {SqlError} */
export async function readTableFacts(
  reader: RowReader,
  schemaName: SchemaName,
  relation?: string,
): Promise<readonly TableFacts[]> {
  const statement = factsQuery(schemaName, relation)
  const [result] = await reader.read(schemaName, [statement], {
    searchPath: searchPathOf(schemaName),
  })
  return (result?.rows ?? []).map(([cell]) => decode(schemaName, parseJson(cellText(cell) ?? '')))
}

// Functions and types by their full names: the project's own must not stand in for them.
function factsQuery(schemaName: SchemaName, relation: string | undefined): Sql {
  const isNamed = relation === undefined ? sql`` : sql`and c.relname = ${relation}::pg_catalog.name`
  return sql`select pg_catalog.json_build_object(
  'oid', c.oid::pg_catalog.int8, 'name', c.relname, 'kind', c.relkind,
  'closed', c.relowner = n.nspowner, 'enabled', c.relrowsecurity, 'forced', c.relforcerowsecurity,
  'invoker', coalesce(c.reloptions && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1'], false),
  'owner', pg_catalog.pg_get_userbyid(c.relowner),
  'bypassed', ${bypassedTables()},
  'columns', (select coalesce(pg_catalog.json_agg(${columnRecord()} order by a.attnum), '[]')
    from pg_catalog.pg_attribute as a
    join pg_catalog.pg_type as t on t.oid = a.atttypid
    join pg_catalog.pg_type as b on b.oid = case when t.typbasetype = 0 then t.oid else t.typbasetype end
    left join pg_catalog.pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
  'key', (select coalesce(pg_catalog.json_agg(a.attname order by k.place), '[]')
    from pg_catalog.pg_index as i
    cross join pg_catalog.unnest(i.indkey::pg_catalog.int2[]) with ordinality as k (attnum, place)
    join pg_catalog.pg_attribute as a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = c.oid and i.indisprimary and k.place <= i.indnkeyatts),
  'policies', (select coalesce(pg_catalog.json_agg(${policyRecord()} order by p.polname), '[]')
    from pg_catalog.pg_policy as p where p.polrelid = c.oid),
  'access', (select pg_catalog.json_object_agg(role.rolname, ${accessRecord()})
    from pg_catalog.pg_roles as role where role.rolname in ('anon', 'authenticated', 'service_role')))
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where n.nspname = ${literal(schemaName)} and c.relkind in ('r', 'p', 'v', 'm', 'f')
  and c.relpersistence <> 't' ${isNamed}
order by c.relname`
}

function columnRecord(): Sql {
  return sql`pg_catalog.json_build_object(
    'name', a.attname, 'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
    'shape', case when b.typname in ('json', 'jsonb') then 'json' when b.typcategory = 'A' then 'array'
      when b.typtype = 'c' then 'composite' else 'plain' end,
    'generation', case when a.attgenerated <> '' then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end,
    'default', case when a.attgenerated = '' then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end,
    'numbered', a.attidentity <> '' or exists (select from pg_catalog.pg_depend as needs
      join pg_catalog.pg_class as s on s.oid = needs.refobjid and s.relkind = 'S'
      where needs.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass and needs.objid = d.oid
        and needs.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass))`
}

function policyRecord(): Sql {
  return sql`pg_catalog.json_build_object(
    'name', p.polname, 'permissive', p.polpermissive,
    'command', case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update'
      when 'd' then 'delete' else 'all' end,
    'roles', array(select case when r.oid = 0 then 'public' else pg_catalog.pg_get_userbyid(r.oid) end
      from pg_catalog.unnest(p.polroles) as r (oid) order by 1),
    'using', pg_catalog.pg_get_expr(p.polqual, p.polrelid),
    'check', pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid),
    'appliesTo', array(select role.rolname from pg_catalog.pg_roles as role
      where role.rolname in ('anon', 'authenticated', 'service_role')
        and exists (select from pg_catalog.unnest(p.polroles) as r (oid)
          where r.oid = 0 or pg_catalog.pg_has_role(role.oid, r.oid, 'usage'))))`
}

function accessRecord(): Sql {
  const onColumn = (privilege: string): Sql =>
    sql`${literal(privilege)}, array(select a.attname from pg_catalog.pg_attribute as a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and not pg_catalog.has_table_privilege(role.oid, c.oid, ${literal(privilege)})
        and pg_catalog.has_column_privilege(role.oid, c.oid, a.attnum, ${literal(privilege)})
      order by a.attnum)`
  return sql`pg_catalog.json_build_object(
    'schema', pg_catalog.has_schema_privilege(role.oid, n.oid, 'usage'),
    'bypasses', role.rolbypassrls or role.rolsuper,
    'owns', pg_catalog.pg_has_role(role.oid, c.relowner, 'usage'),
    'privileges', array(select privilege from pg_catalog.unnest(array['DELETE', 'INSERT', 'SELECT', 'UPDATE']) as privilege
      where pg_catalog.has_table_privilege(role.oid, c.oid, privilege)),
    'columns', pg_catalog.json_build_object(${onColumn('INSERT')}, ${onColumn('SELECT')}, ${onColumn('UPDATE')}))`
}

// Tables with row-level security that a view reads with the rights of an owner whom their policies do not stop.
function bypassedTables(): Sql {
  return sql`array(select distinct under.relname
    from pg_catalog.pg_rewrite as rule
    join pg_catalog.pg_depend as needs on needs.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
      and needs.objid = rule.oid and needs.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
    join pg_catalog.pg_class as under on under.oid = needs.refobjid
    where rule.ev_class = c.oid and under.oid <> c.oid and under.relrowsecurity
      and c.relkind in ('v', 'm') and under.relowner = c.relowner and not under.relforcerowsecurity
    order by under.relname)`
}

const KINDS: Readonly<Record<string, RelationKind>> = {
  r: 'table',
  p: 'partitioned_table',
  v: 'view',
  m: 'materialized_view',
  f: 'foreign_table',
}

function decode(schemaName: SchemaName, value: JsonValue | undefined): TableFacts {
  const relation = isJsonObject(value) ? value : {}
  const key = texts(relation['key'])
  return {
    schemaName,
    oid: Number(relation['oid']),
    name: String(relation['name']),
    kind: KINDS[String(relation['kind'])] ?? 'table',
    isClosed: relation['closed'] === true,
    rlsEnabled: relation['enabled'] === true,
    rlsForced: relation['forced'] === true,
    securityInvoker: relation['invoker'] === true,
    bypassedTables: texts(relation['bypassed']),
    owner: String(relation['owner']),
    columns: list(relation['columns']).map((column) => decodeColumn(column, key)),
    key,
    policies: list(relation['policies']).map(decodePolicy),
    access: decodeAccess(relation['access']),
  }
}

function decodeColumn(column: JsonObject, key: readonly string[]): ColumnFacts {
  const name = String(column['name'])
  return {
    name,
    type: String(column['type']),
    isKey: key.includes(name),
    shape: String(column['shape']) as ColumnFacts['shape'],
    generation: textOrNull(column['generation']),
    default: textOrNull(column['default']),
    isNumbered: column['numbered'] === true,
  }
}

function decodePolicy(policy: JsonObject): PolicyFacts {
  const appliesTo = texts(policy['appliesTo'])
  return {
    name: String(policy['name']),
    permissive: policy['permissive'] === true,
    command: String(policy['command']) as PolicyFacts['command'],
    roles: texts(policy['roles']),
    using: textOrNull(policy['using']),
    check: textOrNull(policy['check']),
    appliesTo: new Set(ROLES.filter((role) => appliesTo.includes(role))),
  }
}

function decodeAccess(value: JsonValue | undefined): TableFacts['access'] {
  const access = isJsonObject(value) ? value : {}
  const of = (role: PrincipalRole): RoleAccess => {
    const record = isJsonObject(access[role]) ? access[role] : {}
    const columns = isJsonObject(record['columns']) ? record['columns'] : {}
    return {
      schema: record['schema'] === true,
      bypasses: record['bypasses'] === true,
      owns: record['owns'] === true,
      privileges: texts(record['privileges']),
      columns: {
        INSERT: texts(columns['INSERT']),
        SELECT: texts(columns['SELECT']),
        UPDATE: texts(columns['UPDATE']),
      },
    }
  }
  return { anon: of('anon'), authenticated: of('authenticated'), service_role: of('service_role') }
}

function list(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function texts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
