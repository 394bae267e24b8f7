// Computes what the fleet screen shows: filtered and sorted tenants, the columns of steps, and pending steps. Pure.
import type { Fleet, FleetStep, FleetTenant } from '../../../emulator/contract/fleet.ts'
import type { StepState } from '../../../emulator/contract/migrations.ts'
import { inOrder, type OrderValue } from '../../parts/grid-order.ts'
import { newestOf } from '../../parts/project-facts.tsx'
import { chosenFacts, type FactsFleet, matchesFacts, urgencyOf } from './fleet-facts.ts'
import type { FleetOrder, FleetSearch } from './fleet-search.ts'
import { HINTS } from './texts.ts'

/** Returns the tenants that match the search, in the order that the search names. */
export function shownTenants(
  fleet: Pick<Fleet, 'steps' | 'tenants' | 'versions'>,
  search: FleetSearch,
): readonly FleetTenant[] {
  const facts = chosenFacts(search)
  const words = (search.q ?? '').toLowerCase()
  const shown = fleet.tenants.filter(
    (tenant) =>
      matchesFacts(fleet, tenant, facts) &&
      `${tenant.slug} ${tenant.external_id ?? ''}`.toLowerCase().includes(words),
  )
  return inOrder(shown, search, valuesIn(fleet))
}

function valuesIn(
  fleet: FactsFleet,
): Readonly<Record<FleetOrder, (tenant: FleetTenant) => OrderValue>> {
  return {
    tenant: ({ slug }) => slug,
    version: ({ template_version: version }) => version,
    steps: (tenant) => urgencyOf(fleet, tenant, 'steps'),
    differences: (tenant) => urgencyOf(fleet, tenant, 'differences'),
    users: ({ users }) => users,
    size: ({ size_bytes: bytes }) => bytes,
    active: ({ last_request_at: at }) => at,
  }
}

/** A column for one step. The first column may contain all older steps together. */
export interface StepColumn {
  readonly id: string
  readonly name: string
  readonly file: string | null
  /**
   * Heading above the first step of each version, such as `v2`, or `not published` and `ran everywhere` above steps of no version.
   * `undefined` above other steps.
   */
  readonly band: string | undefined
  /** Indexes of the column's steps in the list of the answer. */
  readonly positions: readonly number[]
}

/** Maximum number of steps that have a column of their own. */
export const MAX_STEP_COLUMNS = 40

export function stepColumns(fleet: Fleet): readonly StepColumn[] {
  const { steps, versions } = fleet
  const folded = Math.max(0, steps.length - MAX_STEP_COLUMNS)
  const numbers = new Map(versions.map(({ number, slug }) => [slug, number]))
  const bandOf = (step: FleetStep | undefined, position: number): string | undefined => {
    if (step === undefined) return undefined
    const { published_in: slug } = step
    if (slug !== null) return `v${numbers.get(slug) ?? '?'}`
    return ranEverywhere(fleet, position) ? 'ran everywhere' : 'not published'
  }
  const older: readonly StepColumn[] =
    folded === 0
      ? []
      : [
          {
            id: 'older',
            name: `${folded} older`,
            file: null,
            band: undefined,
            positions: Array.from({ length: folded }, (_, position) => position),
          },
        ]
  const own = steps.slice(folded).map((step, index): StepColumn => {
    const position = folded + index
    const band = bandOf(step, position)
    const isFirst = index === 0 || bandOf(steps[position - 1], position - 1) !== band
    return {
      id: step.version,
      name: step.name,
      file: step.file,
      band: isFirst ? band : undefined,
      positions: [position],
    }
  })
  return [...older, ...own]
}

/** Whether the template and all tenants ran the step. Published versions are frozen, so that they can lack the step. */
function ranEverywhere(fleet: Fleet, position: number): boolean {
  const { template } = fleet
  return (
    template !== null &&
    [template, ...activeTenants(fleet)].every(({ steps }) => steps[position] === 'applied')
  )
}

const WORST: readonly StepState[] = [
  'missing',
  'changed',
  'interrupted',
  'out_of_order',
  'pending',
  'applied',
]

/** Returns the most urgent state among the steps of a column. */
export function stateIn(
  states: readonly (StepState | null)[],
  { positions }: StepColumn,
): StepState | null {
  const found = new Set(positions.map((position) => states[position] ?? null))
  return WORST.find((state) => found.has(state)) ?? null
}

export interface PendingStep {
  readonly version: string
  readonly name: string
  /** Number of the given tenants that lack the step. */
  readonly tenants: number
  readonly inTemplate: boolean
}

/** Returns the steps that the template or one of the tenants lacks, the oldest first. */
export function pendingSteps(
  { steps, template }: Fleet,
  tenants: readonly FleetTenant[],
): readonly PendingStep[] {
  const isPending = (state: StepState | null | undefined): boolean =>
    state === 'pending' || state === 'interrupted'
  return steps
    .map(({ name, version }, position) => ({
      version,
      name,
      tenants: tenants.filter(({ steps: states }) => isPending(states[position])).length,
      inTemplate: isPending(template?.steps[position]),
    }))
    .filter((step) => step.inTemplate || step.tenants > 0)
}

/** Returns why no steps can be applied to the template and these tenants; `undefined` when steps are pending. */
export function whyNotApply(fleet: Fleet, targets: readonly FleetTenant[]): string | undefined {
  if (pendingSteps(fleet, targets).length > 0) return undefined
  const isAnywhere = pendingSteps(fleet, activeTenants(fleet)).length > 0
  return isAnywhere ? HINTS.notPending : HINTS.nonePending
}

/** Whether a version is published that is newer than the tenant's. */
export function isOnOlderVersion(
  fleet: Fleet,
  { template_version: version }: Pick<FleetTenant, 'template_version'>,
): boolean {
  const newest = newestOf(fleet)
  return newest !== undefined && version !== null && version < newest
}

export function activeTenants({ tenants }: Fleet): readonly FleetTenant[] {
  return tenants.filter(({ state }) => state !== 'deleted')
}
