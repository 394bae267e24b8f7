// A unit of a clone: one object's statements, what it must wait for and how early it would like to come. Pure.
import type { Sql } from '../../sql.ts'

/** The rough order of a clone; dependencies between objects overrule it. */
export const PHASES = [
  'type',
  'sequence',
  'routine',
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
  const pending = new Map(waiting.map((unit) => [unit.key, unit]))
  const ordered: Unit[] = []
  const visiting = new Set<string>()
  const visit = (unit: Unit): void => {
    if (!pending.has(unit.key) || visiting.has(unit.key)) return
    visiting.add(unit.key)
    for (const need of unit.needs) {
      const needed = pending.get(need)
      if (needed !== undefined) visit(needed)
    }
    visiting.delete(unit.key)
    pending.delete(unit.key)
    ordered.push(unit)
  }
  for (const unit of waiting) visit(unit)
  return ordered
}
