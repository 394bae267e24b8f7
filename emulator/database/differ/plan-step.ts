// Plans all statements that turn one set of objects into another. Pure.

import { ownerRoleOf } from '../../core/names.ts'
import type { DefaultPrivilegesRecord, Privileges } from '../catalog/grants.ts'
import { quoteIdentifier } from '../sql.ts'
import { refreshedViews } from '../template/clone-schema.ts'
import type { Qualify } from '../template/ddl/create-object.ts'
import { initialOf, KIND_OF } from '../template/ddl/grant.ts'
import { planComments } from './comments.ts'
import { type Draft, draft, type NotGenerated } from './difference.ts'
import { leaveParents } from './leave-parents.ts'
import type { Objects, SchemaObject } from './objects.ts'
import { planCreates } from './plan-creates.ts'
import { planDrops } from './plan-drops.ts'
import {
  grantText,
  type PrivilegePlan,
  privilegeChanges,
  publicGrant,
} from './privilege-changes.ts'
import { planPrivileges } from './privileges.ts'
import { type Changes, findChanges, isAtomic, isCreated, nameIn } from './rebuild.ts'

export interface StepPlan {
  readonly drafts: readonly Draft[]
  readonly notGenerated: readonly NotGenerated[]
}

/** @param last the objects after the statements that follow this plan, such as held-back ones; `to` when none follow */
export function planStep(first: Objects, to: Objects, last: Objects = to): StepPlan {
  const { schemaName } = to.structure
  const qualify: Qualify = (name) => `${schemaName}.${quoteIdentifier(name)}`
  const { drafts: departures, from } = leaveParents(first, to, qualify)
  const changes = findChanges(from, to)
  const drops = planDrops(changes, qualify)
  const creates = planCreates(changes, qualify)
  const [privileges, later] = [planPrivileges(changes), planDefaultPrivileges(changes)]
  const drafts = [
    ...departures,
    ...drops.first,
    ...creates,
    ...drops.last,
    ...privileges.drafts,
    ...later.drafts,
    ...planComments(changes),
    ...refreshes(changes, qualify),
  ]
  return {
    drafts: mayRefuseBody(changes, last)
      ? [draft('set local check_function_bodies = off'), ...drafts]
      : drafts,
    notGenerated: [...privileges.notGenerated, ...later.notGenerated],
  }
}

/**
 * Whether Postgres may refuse the body of a new routine. The body may use an object that a later statement creates or changes.
 * Or the body may read a table whose policies apply to the owner and read the table themselves.
 */
function mayRefuseBody({ from, rebuilt, to }: Changes, last: Objects): boolean {
  const changed = [...to.byKey.values()].filter(
    ({ key, table, text }) =>
      table === undefined && (rebuilt.has(key) || from.byKey.get(key)?.text !== text),
  )
  const waiting = [...last.byKey.values()].filter(
    ({ key, table }) => table === undefined && !to.byKey.has(key),
  )
  const forced = from.structure.relations.filter(({ forcedRowSecurity }) => forcedRowSecurity)
  return changed.some((routine) => {
    if (routine.section !== 'routines' || isAtomic(routine.record)) return false
    const text = routine.record.definition?.toLowerCase() ?? ''
    const isLater = (other: SchemaObject) => other !== routine && text.includes(wordOf(other))
    return (
      [...changed, ...waiting].some(isLater) ||
      forced.some(({ name }) => text.includes(name.toLowerCase()))
    )
  })
}

/** The object's name without quotes and in lower case, because a body may write it with or without quotes. */
function wordOf(object: SchemaObject): string {
  return nameIn(object).replaceAll('"', '').toLowerCase()
}

/** Fills the materialized views that the statements create empty. */
function refreshes(changes: Changes, qualify: Qualify): readonly Draft[] {
  const { structure } = changes.to
  return refreshedViews(structure)
    .filter((name) => isCreated(changes, `relation:${name}`))
    .map((name) => draft(`refresh materialized view ${qualify(name)}`))
}

// Statements that change the owner's default privileges, which later objects of the owner get, to those of the second structure.
function planDefaultPrivileges({ from, to }: Changes): PrivilegePlan {
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
