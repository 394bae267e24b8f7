// Facts of a project's catalogue that only the audit needs: comments of policies, and security-definer functions.
import type { SchemaName } from '../../../core/names.ts'
import { cellText } from '../../../database/engine.ts'
import type { RowReader } from '../../../database/row-reader.ts'
import { literal, type Sql, sql } from '../../../database/sql.ts'

export interface DefinerFunction {
  readonly name: string
  /** Name with the types of its arguments, as `COMMENT ON FUNCTION` needs it. */
  readonly signature: string
  readonly comment: string | null
  readonly hasSearchPath: boolean
  readonly returnsRows: boolean
  /**
   * Whether a GET request may call the function without arguments: the function changes nothing, and every argument has a
   * default.
   */
  readonly canBeRead: boolean
  readonly executableByAnon: boolean
}

export interface AuditCatalog {
  /** Comments of policies, by `commentKey`. */
  readonly policyComments: ReadonlyMap<string, string>
  readonly definerFunctions: readonly DefinerFunction[]
}

export function commentKey(table: string, policy: string): string {
  return `${table}\0${policy}`
}

/** @throws {SqlError} */
export async function readAuditCatalog(
  reader: RowReader,
  schemaName: SchemaName,
): Promise<AuditCatalog> {
  const [comments, functions] = await reader.read(schemaName, [
    policyComments(schemaName),
    definerFunctions(schemaName),
  ])
  return {
    policyComments: new Map(
      (comments?.rows ?? []).map(([table, policy, comment]) => [
        commentKey(cellText(table) ?? '', cellText(policy) ?? ''),
        cellText(comment) ?? '',
      ]),
    ),
    // The query determines this shape, so the cast is safe.
    definerFunctions: (functions?.rows ?? []).map(
      ([cell]) => JSON.parse(cellText(cell) ?? '{}') as DefinerFunction,
    ),
  }
}

function policyComments(schemaName: SchemaName): Sql {
  return sql`select c.relname, p.polname, d.description
from pg_catalog.pg_policy as p
join pg_catalog.pg_class as c on c.oid = p.polrelid
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
join pg_catalog.pg_description as d on d.objoid = p.oid
  and d.classoid = 'pg_catalog.pg_policy'::pg_catalog.regclass and d.objsubid = 0
where n.nspname = ${literal(schemaName)}`
}

// Leaves out the platform's own functions, which belong to the owner of the schema.
function definerFunctions(schemaName: SchemaName): Sql {
  return sql`select pg_catalog.json_build_object(
  'name', f.proname,
  'signature', f.proname || '(' || pg_catalog.pg_get_function_identity_arguments(f.oid) || ')',
  'comment', pg_catalog.obj_description(f.oid, 'pg_proc'),
  'hasSearchPath', exists (select from pg_catalog.unnest(f.proconfig) as setting where setting like 'search_path=%'),
  'returnsRows', f.proretset,
  'canBeRead', f.provolatile <> 'v' and f.pronargs = f.pronargdefaults,
  'executableByAnon', pg_catalog.has_function_privilege('anon', f.oid, 'execute'))
from pg_catalog.pg_proc as f
join pg_catalog.pg_namespace as n on n.oid = f.pronamespace
where n.nspname = ${literal(schemaName)} and f.prosecdef and f.proowner <> n.nspowner
order by f.proname, f.oid`
}
