// What a new partition must have before it is attached to its parent. Pure.
import type { ConstraintRecord } from '../catalog/attached.ts'
import { addConstraint } from '../template/ddl/create-attached.ts'
import type { Qualify } from '../template/ddl/create-object.ts'
import type { Unit } from '../template/ddl/unit.ts'
import { joinsParent } from './can-alter.ts'
import { draft } from './difference.ts'
import { plainIdentifier } from './local-names.ts'
import { type Objects, relationKey } from './objects.ts'
import type { DraftUnit } from './plan-drops.ts'
import { type Changes, isCreated } from './rebuild.ts'

const ATTACHMENT = 'attachment:'

/** Returns the key of the unit that attaches the table. */
export function attachmentKey(table: string): string {
  return `${ATTACHMENT}${table}`
}

/**
 * Lists what the unit needs if it attaches a partition. Attaching creates the parent's indexes that the partition lacks, and copies
 * the parent's triggers, disabled ones as such.
 */
export function attachmentNeeds({ from, to }: Changes, key: string): readonly string[] {
  if (!key.startsWith(ATTACHMENT)) return []
  const partition = key.slice(ATTACHMENT.length)
  const { constraints, indexes, triggers } = to.structure
  return [
    ...[...indexes, ...constraints.filter(isCopy)].filter(({ table }) => table === partition),
    ...triggers.filter((one) => from.byKey.has(one.key) && isParentOf(to, one.table, partition)),
  ].map((part) => part.key)
}

/** Creates the checks that a parent has already, because Postgres requires them of a table that joins the parent. */
export function copiedChecks(
  changes: Changes,
  units: readonly Unit[],
  qualify: Qualify,
): readonly DraftUnit[] {
  const { from, to } = changes
  const keys = new Set(units.map(({ key }) => key))
  return to.structure.constraints.filter(isCopy).flatMap((check): DraftUnit[] => {
    // The statement that creates a table may contain the check, or the name of the parent.
    const isSeparate = isCreated(changes, relationKey(check.table))
      ? keys.has(attachmentKey(check.table)) && !keys.has(`setting:${check.key}`)
      : joinsParent(check.table, from, to)
    if (!isSeparate || !isCreated(changes, check.key) || !isCheckOfParent(changes, check)) return []
    const drafts = [draft(addConstraint(check, qualify).text)]
    return [{ key: check.key, phase: 'attachment', drafts, needs: to.needs(check.key) }]
  })
}

function isCopy({ kind, local }: ConstraintRecord): boolean {
  return kind === 'check' && !local
}

function isCheckOfParent(changes: Changes, { name, table }: ConstraintRecord): boolean {
  const { byKey, structure } = changes.to
  return structure.relations.some((parent) => {
    const key = `constraint:${parent.name}.${name}`
    return isParentOf(changes.to, parent.name, table) && byKey.has(key) && !isCreated(changes, key)
  })
}

function isParentOf({ relation, structure }: Objects, parent: string, table: string): boolean {
  const name = `${structure.schemaName}.${plainIdentifier(parent)}`
  return relation(table)?.parents?.includes(name) === true
}
