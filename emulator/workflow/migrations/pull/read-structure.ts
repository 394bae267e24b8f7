// Reads the structure of a project that runs elsewhere, through its db/exec.
import { isLedger, ownerRoleOf, parseSchemaName } from '../../../core/names.ts'
import { scopeOfCaller } from '../../../database/catalog/records.ts'
import { withoutTables } from '../../../database/differ/without-tables.ts'
import { type Sql, sql } from '../../../database/sql.ts'
import {
  type SchemaStructure,
  structureOf,
  structureQueries,
} from '../../../database/template/structure.ts'
import type { Exec } from '../apply/fleet.ts'
import { RemoteError } from '../remote/remote-error.ts'
import { selectRows } from './owner-sql.ts'

export interface RemoteStructure {
  readonly structure: SchemaStructure
  /** Whether the project records migration steps. */
  readonly hasLedger: boolean
}

/** The platform's tables. The catalogue's queries leave them out unless the project's owner owns them. */
const PLATFORM_TABLES: ReadonlySet<string> = new Set([
  'auth_users',
  'auth_credentials',
  'auth_sessions',
  'auth_refresh_tokens',
  'auth_identities',
  'auth_mfa_factors',
  'auth_one_time_codes',
  'auth_flow_states',
])

const WHO: Sql = sql`select current_schema()::text as schema, current_user::text as owner`

/** @throws {RemoteError} */
export async function readStructure(exec: Exec): Promise<RemoteStructure> {
  const [who] = await selectRows(exec, [WHO])
  const schemaName = parseSchemaName(String(who?.['schema']))
  if (schemaName === undefined)
    throw new RemoteError(
      'no_platform',
      `The project’s schema is ${String(who?.['schema'])}, but a schema of the platform is named proj_<slug>.`,
      { hint: 'Give the address of the platform with --url.' },
    )
  const [row = {}] = await selectRows(exec, structureQueries(scopeOfCaller(schemaName)))
  const all = structureOf(schemaName, row)
  const own = withoutTables(all, (table) => PLATFORM_TABLES.has(table) || isLedger(table))
  return {
    structure: ownedBy(own, String(who?.['owner'])),
    hasLedger: all.relations.some(({ name }) => isLedger(name)),
  }
}

/** Gives the project's owner role the name that the role has in this emulator. */
function ownedBy(structure: SchemaStructure, there: string): SchemaStructure {
  const here = ownerRoleOf(structure.schemaName)
  if (there === here) return structure
  const rename = (role: string) => (role === there ? here : role)
  const entriesOf = <
    Granted extends
      | SchemaStructure['grants'][number]
      | SchemaStructure['defaultPrivileges'][number],
  >(
    granted: Granted,
  ): Granted => ({
    ...granted,
    entries: granted.entries.map((entry) => ({ ...entry, grantee: rename(entry.grantee) })),
  })
  return {
    ...structure,
    grants: structure.grants.map(entriesOf),
    defaultPrivileges: structure.defaultPrivileges.map(entriesOf),
    policies: structure.policies.map((policy) => ({ ...policy, roles: policy.roles.map(rename) })),
  }
}
