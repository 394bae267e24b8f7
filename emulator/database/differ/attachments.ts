// What a new partition must have before it is attached to its parent. Pure.
import type { ConstraintRecord } from '../catalog/attached.ts'
import { addConstraint } from '../template/ddl/create-attached.ts'
import type { Qualify } from '../template/ddl/create-object.ts'
import type { Unit } from '../template/ddl/unit.ts'
import { draft } from './difference.ts'
import { plainIdentifier } from './local-names.ts'
import type { DraftUnit } from './plan-drops.ts'
import { type Changes, isCreated } from './rebuild.ts'

const ATTACHMENT = 'attachment:'

/** Lists what the unit needs if it attaches a partition. Attaching creates the parent's indexes that the partition lacks. */
export function attachmentNeeds({ to }: Changes, key: string): readonly string[] {
  if (!key.startsWith(ATTACHMENT)) return []
  const partition = key.slice(ATTACHMENT.length)
  return [...to.structure.indexes, ...to.structure.constraints.filter(isCopy)]
    .filter(({ table }) => table === partition)
    .map((part) => part.key)
}

/** Creates the checks that a parent has already, because Postgres requires them of a partition. */
export function copiedChecks(
  changes: Changes,
  units: readonly Unit[],
  qualify: Qualify,
): readonly DraftUnit[] {
  const { to } = changes
  const keys = new Set(units.map(({ key }) => key))
  return to.structure.constraints.filter(isCopy).flatMap((check): DraftUnit[] => {
    const isInline = keys.has(`setting:${check.key}`)
    const isNew = keys.has(`${ATTACHMENT}${check.table}`) && isCreated(changes, check.key)
    if (isInline || !isNew || !isCheckOfParent(changes, check)) return []
    const drafts = [draft(addConstraint(check, qualify).text)]
    return [{ key: check.key, phase: 'attachment', drafts, needs: to.needs(check.key) }]
  })
}

function isCopy({ kind, local }: ConstraintRecord): boolean {
  return kind === 'check' && !local
}

function isCheckOfParent(changes: Changes, { name, table }: ConstraintRecord): boolean {
  const { relations, schemaName } = changes.to.structure
  const parents = changes.to.relation(table)?.parents ?? []
  return relations.some((parent) => {
    const key = `constraint:${parent.name}.${name}`
    const isParent = parents.includes(`${schemaName}.${plainIdentifier(parent.name)}`)
    return isParent && changes.to.byKey.has(key) && !isCreated(changes, key)
  })
}
