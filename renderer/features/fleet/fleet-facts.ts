// The facts by which the fleet's list can be filtered: one axis for steps, and one for differences. A tenant can have
// several facts of an axis. Pure.
import type { FleetTenant } from '../../../emulator/contract/fleet.ts'
import type { Tone } from '../../ui/chip.tsx'
import { membersOf } from '../../ui/form-values.ts'

interface FilterFact {
  readonly axis: 'steps' | 'differences'
  readonly word: string
  readonly tone: Tone
  readonly has: (tenant: FleetTenant) => boolean
}

const isActive = ({ state }: FleetTenant): boolean => state !== 'deleted'

export type FactName =
  | 'conflict'
  | 'would_fail'
  | 'unreadable'
  | 'pending'
  | 'none_pending'
  | 'differs'
  | 'not_checked'
  | 'same'

/** The most urgent facts come first. */
export const FACTS: Readonly<Record<FactName, FilterFact>> = {
  conflict: {
    axis: 'steps',
    word: 'conflict',
    tone: 'refused',
    has: ({ facts: { steps } }) => steps.ran !== null && steps.problem !== null,
  },
  would_fail: {
    axis: 'steps',
    word: 'would fail',
    tone: 'refused',
    has: ({ rehearsal_failure: failure }) => failure !== null,
  },
  unreadable: {
    axis: 'steps',
    word: 'steps unreadable',
    tone: 'unknown',
    has: ({ facts: { steps } }) => steps.ran === null,
  },
  pending: {
    axis: 'steps',
    word: 'steps pending',
    tone: 'clock',
    has: ({ facts: { steps } }) => steps.problem === null && (steps.pending ?? 0) > 0,
  },
  none_pending: {
    axis: 'steps',
    word: 'none pending',
    tone: 'allowed',
    has: ({ facts: { steps } }) => steps.problem === null && steps.pending === 0,
  },
  differs: {
    axis: 'differences',
    word: 'differences',
    tone: 'changed',
    has: ({ facts: { differences } }) => (differences.count ?? 0) > 0,
  },
  not_checked: {
    axis: 'differences',
    word: 'not checked yet',
    tone: 'unknown',
    has: ({ facts: { differences } }) => differences.state === 'not_checked',
  },
  same: {
    axis: 'differences',
    word: 'no differences',
    tone: 'allowed',
    has: ({ facts: { differences } }) => differences.count === 0,
  },
}

const NAMES: readonly FactName[] = membersOf(FACTS)

export function chosenFacts({
  facts = '',
}: {
  readonly facts?: string | undefined
}): ReadonlySet<FactName> {
  const words = facts.split(',')
  return new Set(NAMES.filter((name) => words.includes(name)))
}

/** Returns the number of tenants for each fact that at least one tenant has. Removed tenants have no facts. */
export function countFacts(tenants: readonly FleetTenant[]): ReadonlyMap<FactName, number> {
  const active = tenants.filter(isActive)
  return new Map(
    NAMES.map((name) => [name, active.filter(FACTS[name].has).length] as const).filter(
      ([, count]) => count > 0,
    ),
  )
}

/** Whether the tenant has a chosen fact on each axis on which facts are chosen. */
export function matchesFacts(tenant: FleetTenant, chosen: ReadonlySet<FactName>): boolean {
  const axes = Map.groupBy(chosen, (name) => FACTS[name].axis)
  return [...axes.values()].every(
    (names) => isActive(tenant) && names.some((name) => FACTS[name].has(tenant)),
  )
}

/** Returns the position of the tenant's most urgent fact on an axis, for sorting. */
export function urgencyOf(tenant: FleetTenant, axis: FilterFact['axis']): number {
  const found = NAMES.findIndex((name) => FACTS[name].axis === axis && FACTS[name].has(tenant))
  return !isActive(tenant) || found === -1 ? NAMES.length : found
}
