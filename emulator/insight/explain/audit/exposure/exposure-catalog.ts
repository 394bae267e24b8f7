// Facts of a project's catalogue that only the exposure contract needs: who may execute functions, and which views can be written.
import type { RowCommand } from '../../../../contract/values.ts'
import type { SchemaName } from '../../../../core/names.ts'
import type { PrincipalRole } from '../../../../core/principal.ts'
import { searchPathOf } from '../../../../database/as-principal.ts'
import { cellText } from '../../../../database/engine.ts'
import type { RowReader } from '../../../../database/row-reader.ts'
import { literal, type Sql, sql } from '../../../../database/sql.ts'

export interface CallableFunction {
  readonly name: string
  /** Name with the types of its arguments. */
  readonly signature: string
  /**
   * Whether a GET request may call the function without arguments: the function changes nothing, and every argument has a
   * default.
   */
  readonly canBeRead: boolean
  /** Roles that may execute the function. */
  readonly roles: readonly PrincipalRole[]
}

export interface ExposureCatalog {
  /** Functions that callers can call over REST. */
  readonly functions: readonly CallableFunction[]
  /** The commands that each view passes on to its table. */
  readonly views: ReadonlyMap<string, readonly RowCommand[]>
}

/** @throws {SqlError} */
export async function readExposureCatalog(
  reader: RowReader,
  schemaName: SchemaName,
): Promise<ExposureCatalog> {
  // With this search path, Postgres prints the project's types without the schema's name, which differs between tenants.
  const options = { searchPath: searchPathOf(schemaName) }
  const statements = [functionsOf(schemaName), viewsOf(schemaName)]
  const [functions, views] = await reader.read(schemaName, statements, options)
  return {
    // The queries determine these shapes, so the casts are safe.
    functions: (functions?.rows ?? []).map(
      ([cell]) => JSON.parse(cellText(cell) ?? '{}') as CallableFunction,
    ),
    views: new Map(
      (views?.rows ?? []).map(([name, commands]) => [
        cellText(name) ?? '',
        JSON.parse(cellText(commands) ?? '[]') as readonly RowCommand[],
      ]),
    ),
  }
}

// Leaves out the platform's own functions, which belong to the owner of the schema, and functions of triggers.
function functionsOf(schemaName: SchemaName): Sql {
  return sql`select pg_catalog.json_build_object(
  'name', f.proname,
  'signature', f.proname || '(' || pg_catalog.pg_get_function_identity_arguments(f.oid) || ')',
  'canBeRead', f.provolatile <> 'v' and f.pronargs = f.pronargdefaults,
  'roles', array(select role.rolname from pg_catalog.pg_roles as role
    where role.rolname in ('anon', 'authenticated')
      and pg_catalog.has_schema_privilege(role.oid, n.oid, 'usage')
      and pg_catalog.has_function_privilege(role.oid, f.oid, 'execute') order by role.rolname))
from pg_catalog.pg_proc as f
join pg_catalog.pg_namespace as n on n.oid = f.pronamespace
where n.nspname = ${literal(schemaName)} and f.proowner <> n.nspowner and f.prokind in ('f', 'p')
  and f.prorettype not in ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype)`
}

// The bits of pg_relation_is_updatable are 1 shifted by the number of the command (PostgreSQL, nodes.h, CmdType).
function viewsOf(schemaName: SchemaName): Sql {
  return sql`select c.relname, pg_catalog.to_json(array(select bits.command
  from (values ('update', 4), ('insert', 8), ('delete', 16)) as bits (command, bit)
  where pg_catalog.pg_relation_is_updatable(c.oid, true) & bits.bit <> 0))
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where n.nspname = ${literal(schemaName)} and c.relkind = 'v'`
}
