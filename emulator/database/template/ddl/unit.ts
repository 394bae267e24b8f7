// A unit of a clone: one object's statements, the units that it needs, and its phase. Pure.
import type { Sql } from '../../sql.ts'

/** The rough order of a clone; dependencies between objects have priority. */
const PHASES = [
  'collation',
  'dictionary',
  'configuration',
  'type',
  'sequence',
  'routine',
  'operator',
  'cast' /** Expressions precede tables, because Postgres may inline function bodies that use casts without a dependency. */,
  'table',
  'attachment' /** Attachments (partitions, column defaults, sequence owners) precede objects that partitions inherit. */,
  'view',
  'constraint',
  'index',
  'foreignKey' /** Foreign keys follow all keys, so that tables may refer to each other in a cycle. */,
  'behaviour' /** Triggers, rules, policies and statistics are attached last. */,
  'setting',
] as const
export type Phase = (typeof PHASES)[number]

/** Whether units of the phase are created after the rows of a dump. */
export function followsRows(phase: Phase): boolean {
  return PHASES.indexOf(phase) >= PHASES.indexOf('constraint')
}

export interface Unit {
  readonly key: string
  readonly phase: Phase
  readonly statements: readonly Sql[]
  /** Keys of units that must run before this unit. Unknown keys are ignored. */
  readonly needs: readonly string[]
}

/**
 * Orders units so that each follows those it needs, and otherwise by phase. Only the phases decide inside a cycle, as for two
 * functions that call each other.
 */
export function orderUnits<Ordered extends Pick<Unit, 'key' | 'phase' | 'needs'>>(
  units: readonly Ordered[],
): readonly Ordered[] {
  const waiting = [...units].sort((a, b) => PHASES.indexOf(a.phase) - PHASES.indexOf(b.phase))
  // Names may contain dots, so two objects can have the same key. A unit that needs such a key follows both objects.
  const named = Map.groupBy(waiting, ({ key }) => key)
  const ordered = new Set<Ordered>()
  const visiting = new Set<Ordered>()
  const visit = (unit: Ordered): void => {
    if (ordered.has(unit) || visiting.has(unit)) return
    visiting.add(unit)
    for (const need of unit.needs) for (const needed of named.get(need) ?? []) visit(needed)
    ordered.add(unit)
  }
  for (const unit of waiting) visit(unit)
  return [...ordered]
}
