// The facts by which the fleet's list can be filtered, in three axes: steps, template version, and differences from the tenant's
// own steps and version. A tenant can have several facts of an axis. Pure.
import type { Fleet, FleetTenant } from '../../../emulator/contract/fleet.ts'
import type { Tone } from '../../ui/chip.tsx'
import { membersOf } from '../../ui/form-values.ts'

export type FactsFleet = Pick<Fleet, 'steps' | 'versions'>

interface FilterFact {
  readonly axis: 'steps' | 'version' | 'differences'
  readonly word: string
  readonly tone: Tone
  readonly has: (tenant: FleetTenant, fleet: FactsFleet) => boolean
}

const isActive = ({ state }: FleetTenant): boolean => state !== 'deleted'

export type FactName =
  | 'conflict'
  | 'would_fail'
  | 'unreadable'
  | 'pending'
  | 'none_pending'
  | 'behind'
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
  behind: {
    axis: 'version',
    word: 'behind the newest version',
    tone: 'clock',
    has: isBehind,
  },
  differs: {
    axis: 'differences',
    word: 'differences from own version',
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
    word: 'no differences from own version',
    tone: 'allowed',
    has: ({ facts: { differences } }) => differences.count === 0,
  },
}

/**
 * Whether a newer version is published than the one that the tenant was cloned from. A tenant that ran the steps of the newer
 * versions is not behind. Without such steps, only the number of the version decides.
 */
function isBehind(tenant: FleetTenant, { steps, versions }: FactsFleet): boolean {
  const { steps: states, template_version: version } = tenant
  if (version === null) return false
  const newer = new Set(versions.filter(({ number }) => number > version).map(({ slug }) => slug))
  if (newer.size === 0) return false
  const needed = [...steps.keys()].filter((at) => newer.has(steps[at]?.published_in ?? ''))
  return needed.length === 0 || needed.some((at) => states[at] !== 'applied')
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
export function countFacts(fleet: Fleet): ReadonlyMap<FactName, number> {
  const active = fleet.tenants.filter(isActive)
  const countOf = (name: FactName): number =>
    active.filter((tenant) => FACTS[name].has(tenant, fleet)).length
  return new Map(
    NAMES.map((name) => [name, countOf(name)] as const).filter(([, count]) => count > 0),
  )
}

/** Whether the tenant has a chosen fact on each axis on which facts are chosen. */
export function matchesFacts(
  fleet: FactsFleet,
  tenant: FleetTenant,
  chosen: ReadonlySet<FactName>,
): boolean {
  const axes = Map.groupBy(chosen, (name) => FACTS[name].axis)
  return [...axes.values()].every(
    (names) => isActive(tenant) && names.some((name) => FACTS[name].has(tenant, fleet)),
  )
}

/** Returns the position of the tenant's most urgent fact on an axis, for sorting. */
export function urgencyOf(
  fleet: FactsFleet,
  tenant: FleetTenant,
  axis: FilterFact['axis'],
): number {
  const found = NAMES.findIndex(
    (name) => FACTS[name].axis === axis && FACTS[name].has(tenant, fleet),
  )
  return !isActive(tenant) || found === -1 ? NAMES.length : found
}
