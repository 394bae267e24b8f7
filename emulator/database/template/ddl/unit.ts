// A unit of a clone: one object's statements, what it must wait for and how early it would like to come. Pure.
import type { Sql } from '../../sql.ts'

/** The rough order of a clone; dependencies between objects overrule it. */
const PHASES = [
  'collation',
  'dictionary',
  'configuration',
  'type',
  'sequence',
  'routine',
  'operator',
  'cast' /* before tables: what a function's body says is no dependency, and Postgres may look into it */,
  'table',
  'attachment' /* partitions, column defaults, sequence owners: before anything a parent hands down */,
  'view',
  'constraint',
  'index',
  'foreignKey' /* after every key they could refer to, so that cycles need no care */,
  'behaviour' /* triggers, rules, policies, statistics */,
  'setting',
] as const
export type Phase = (typeof PHASES)[number]

export interface Unit {
  readonly key: string
  readonly phase: Phase
  readonly statements: readonly Sql[]
  /** Keys of units that come before; unknown keys are ignored. */
  readonly needs: readonly string[]
}

/**
 * Orders units so that each follows what it needs, the earlier phase first among those that may come. Where needs run
 * in a circle (two functions that call each other) the phases alone decide.
 */
export function orderUnits(units: readonly Unit[]): readonly Unit[] {
  const waiting = [...units].sort((a, b) => PHASES.indexOf(a.phase) - PHASES.indexOf(b.phase))
  // Names may hold dots, so that two objects may share a key: both stay, each waits for what either needs.
  const named = Map.groupBy(waiting, ({ key }) => key)
  const ordered = new Set<Unit>()
  const visiting = new Set<Unit>()
  const visit = (unit: Unit): void => {
    if (ordered.has(unit) || visiting.has(unit)) return
    visiting.add(unit)
    for (const need of unit.needs) for (const needed of named.get(need) ?? []) visit(needed)
    ordered.add(unit)
  }
  for (const unit of waiting) visit(unit)
  return [...ordered]
}
