// Builds grants and revokes that turn a new project's default privileges into those of a structure. Most templates keep the
// defaults, so most objects need no statement. Pure.
import type { DefaultPrivilegesRecord, GrantRecord, Privileges } from '../../catalog/grants.ts'
import { quoteIdentifier, type Sql, verbatim } from '../../sql.ts'
import { DEFAULT_GRANTS } from '../../tenant-schema/install.ts'
import { grantee } from './create-object.ts'

/** The privileges that Postgres gives an owner at first. */
const OWNED = {
  table: ['DELETE', 'INSERT', 'MAINTAIN', 'REFERENCES', 'SELECT', 'TRIGGER', 'TRUNCATE', 'UPDATE'],
  sequence: ['SELECT', 'UPDATE', 'USAGE'],
  routine: ['EXECUTE'],
  type: ['USAGE'],
} as const satisfies Record<GrantRecord['on'], readonly string[]>

export const KIND_OF = {
  tables: 'table',
  sequences: 'sequence',
  functions: 'routine',
  types: 'type',
} as const

/** Returns grants and revokes; one statement covers all objects with the same change. @param owner the owner role's name */
export function grantStatements(grants: readonly GrantRecord[], owner: string): readonly Sql[] {
  const objectsOf = new Map<string, string[]>()
  for (const grant of grants)
    for (const action of actionsOf(grant, owner)) {
      const objects = objectsOf.get(action)
      if (objects === undefined) objectsOf.set(action, [grant.object])
      else objects.push(grant.object)
    }
  return [...objectsOf].map(([action, objects]) =>
    verbatim(action.replace('%', () => objects.join(', '))),
  )
}

/** Returns statements with `%` as a placeholder for the object. */
function actionsOf(grant: GrantRecord, owner: string): readonly string[] {
  const { column, on } = grant
  const columns = column === undefined ? '' : ` (${column})`
  const initial = column === undefined ? [...initialOf(on, owner), ...platformGrants(`${on}s`)] : []
  return difference(initial, grant.entries).map(
    ({ verb, privileges, role, option }) =>
      `${verb} ${privileges.map((privilege) => `${privilege}${columns}`).join(', ')} on ${on} % ${verb === 'grant' ? 'to' : 'from'} ${grantee(role)}${option}`,
  )
}

/**
 * Sets the current role's default privileges. Default privileges inside a schema add to the initial ones; those without a
 * schema replace them.
 */
export function defaultPrivilegeStatements(
  records: readonly DefaultPrivilegesRecord[],
  schemaName: string,
  owner: string,
): readonly Sql[] {
  const missing = (['tables', 'sequences'] as const)
    .filter((on) => !records.some((record) => record.inSchema && record.on === on))
    .map((on) => ({ on, inSchema: true, entries: [] }))
  return [...records, ...missing].flatMap(({ entries, inSchema, on }) => {
    const where = inSchema ? ` in schema ${quoteIdentifier(schemaName)}` : ''
    const elsewhere = on === 'schemas' ? [] : initialOf(KIND_OF[on], owner)
    return difference(inSchema ? platformGrants(on) : elsewhere, entries).map(
      ({ option, privileges, role, verb }) =>
        verbatim(
          `alter default privileges${where} ${verb} ${privileges.join(', ')} on ${on} ${verb === 'grant' ? 'to' : 'from'} ${grantee(role)}${option}`,
        ),
    )
  })
}

function platformGrants(on: string): readonly Privileges[] {
  return DEFAULT_GRANTS.filter((grant) => grant.on === on).map((grant) => ({
    ...grant,
    grantable: false,
  }))
}

/** Returns the privileges that Postgres gives on a new object. @param owner the owner role's name */
export function initialOf(on: GrantRecord['on'], owner: string): readonly Privileges[] {
  const own = { grantee: owner, grantable: false, privileges: OWNED[on] }
  const open = on === 'routine' || on === 'type'
  return open ? [own, { grantee: 'public', grantable: false, privileges: OWNED[on] }] : [own]
}

interface Change {
  readonly verb: 'grant' | 'revoke'
  readonly privileges: readonly string[]
  readonly role: string
  readonly option: string
}

// Revokes come before grants, because a revoke also removes grant options.
function difference(
  initial: readonly Privileges[],
  wanted: readonly Privileges[],
): readonly Change[] {
  const revokes = initial.flatMap(({ grantee: role, privileges }): Change[] => {
    const kept = new Set(
      wanted.filter((entry) => entry.grantee === role).flatMap((entry) => entry.privileges),
    )
    const gone = privileges.filter((privilege) => !kept.has(privilege))
    return gone.length === 0 ? [] : [{ verb: 'revoke', privileges: gone, role, option: '' }]
  })
  const grants = wanted.flatMap(({ grantable, grantee: role, privileges }): Change[] => {
    const held = initial.find((entry) => entry.grantee === role)?.privileges ?? []
    const added = grantable
      ? privileges
      : privileges.filter((privilege) => !held.includes(privilege))
    return added.length === 0
      ? []
      : [{ verb: 'grant', privileges: added, role, option: grantable ? ' with grant option' : '' }]
  })
  return [...revokes, ...grants]
}
