// Compares the privileges that roles have on an object with the privileges that they should have. Pure.
import type { Privileges } from '../catalog/grants.ts'
import { grantee } from '../template/ddl/create-object.ts'
import type { Draft, NotGenerated } from './difference.ts'

export interface PrivilegePlan {
  readonly drafts: readonly Draft[]
  readonly notGenerated: readonly NotGenerated[]
}

/** A change of one role's privileges. */
export interface Change {
  readonly verb: 'grant' | 'revoke' | 'revoke option'
  readonly role: string
  readonly privileges: readonly string[]
  readonly isGrantable: boolean
}

/** Returns a GRANT or a REVOKE, which can also be the action of ALTER DEFAULT PRIVILEGES. */
export function grantText(
  { isGrantable, privileges, role, verb }: Change,
  on: string,
  column?: string,
): string {
  const columns = column === undefined ? '' : ` (${column})`
  const list = privileges.map((privilege) => `${privilege.toLowerCase()}${columns}`).join(', ')
  if (verb === 'grant')
    return `grant ${list} on ${on} to ${grantee(role)}${isGrantable ? ' with grant option' : ''}`
  const option = verb === 'revoke option' ? 'grant option for ' : ''
  return `revoke ${option}${list} on ${on} from ${grantee(role)}`
}

/** Returns the changes from `before` to `after`, with revokes before grants. */
export function privilegeChanges(
  before: readonly Privileges[],
  after: readonly Privileges[],
): readonly Change[] {
  const [had, has] = [privilegesOf(before), privilegesOf(after)]
  const roles = [...new Set([...had.keys(), ...has.keys()])]
  const changes = roles.flatMap((role): Change[] => {
    const [old, wanted] = [had.get(role) ?? new Map(), has.get(role) ?? new Map()]
    const gone = [...old.keys()].filter((privilege) => !wanted.has(privilege))
    const lowered = [...old.keys()].filter((one) => old.get(one) && wanted.get(one) === false)
    const added = (isGrantable: boolean) =>
      [...wanted.keys()].filter(
        (one) =>
          wanted.get(one) === isGrantable && (!old.has(one) || (isGrantable && !old.get(one))),
      )
    return [
      { verb: 'revoke', role, privileges: gone, isGrantable: false },
      { verb: 'revoke option', role, privileges: lowered, isGrantable: false },
      { verb: 'grant', role, privileges: added(false), isGrantable: false },
      { verb: 'grant', role, privileges: added(true), isGrantable: true },
    ]
  })
  const isRevoke = ({ verb }: Change) => verb !== 'grant'
  const real = changes.filter(({ privileges }) => privileges.length > 0)
  return [...real.filter(isRevoke), ...real.filter((change) => !isRevoke(change))]
}

/** Returns the privileges of each role, and whether the role may grant them to others. */
function privilegesOf(
  entries: readonly Privileges[],
): ReadonlyMap<string, ReadonlyMap<string, boolean>> {
  const roles = new Map<string, Map<string, boolean>>()
  for (const { grantable, grantee: role, privileges } of entries) {
    const held = roles.get(role) ?? new Map<string, boolean>()
    roles.set(role, held)
    for (const privilege of privileges)
      held.set(privilege, grantable || held.get(privilege) === true)
  }
  return roles
}

export function publicGrant(object: string): NotGenerated {
  return {
    object: `grant on ${object}`,
    reason: 'db/exec turns a grant to public into grants to anon and authenticated.',
  }
}
