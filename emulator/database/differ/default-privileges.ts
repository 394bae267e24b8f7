// Default privileges that turn the first structure's into the second's: those of objects that the owner creates later. Pure.
import { ownerRoleOf } from '../../core/names.ts'
import type { DefaultPrivilegesRecord, Privileges } from '../catalog/grants.ts'
import { quoteIdentifier } from '../sql.ts'
import { initialOf, KIND_OF } from '../template/ddl/grant.ts'
import { draft, type NotGenerated } from './difference.ts'
import {
  grantText,
  type PrivilegePlan,
  privilegeChanges,
  publicGrant,
} from './privilege-changes.ts'
import type { Changes } from './rebuild.ts'

export function planDefaultPrivileges({ from, to }: Changes): PrivilegePlan {
  const owner = ownerRoleOf(to.structure.schemaName)
  const [before, after] = [from.structure, to.structure].map(
    ({ defaultPrivileges }) => new Map(defaultPrivileges.map((record) => [record.key, record])),
  )
  const notGenerated: NotGenerated[] = []
  const keys = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])
  const drafts = [...keys].flatMap((key) => {
    const record = after?.get(key) ?? before?.get(key)
    if (record === undefined) return []
    const initial = initialDefault(record, owner)
    const had = before?.get(key)?.entries ?? initial
    const has = after?.get(key)?.entries ?? initial
    const where = record.inSchema ? ` in schema ${quoteIdentifier(to.structure.schemaName)}` : ''
    return privilegeChanges(had, has).flatMap((change) => {
      if (change.verb === 'grant' && change.role === 'public') {
        notGenerated.push(publicGrant(`default privileges on ${record.on}`))
        return []
      }
      return [draft(`alter default privileges${where} ${grantText(change, record.on)}`)]
    })
  })
  return { drafts, notGenerated }
}

function initialDefault(
  { inSchema, on }: DefaultPrivilegesRecord,
  owner: string,
): readonly Privileges[] {
  return inSchema || on === 'schemas' ? [] : initialOf(KIND_OF[on], owner)
}
