// Describes a fleet for the inspector (contract/fleet.ts).
import type {
  FleetState,
  FleetStep,
  FleetTenant,
  FleetVersion,
  Fleet as FleetWire,
} from '../../../contract/fleet.ts'
import { type EpochMillis, toIso } from '../../../core/time.ts'
import type { ProjectSizes } from '../../../insight/project-tools/project-sizes.ts'
import type { Group } from '../../../services/control/groups/groups.ts'
import type { ControlStores } from '../../../services/control/stores.ts'
import type { DriftReader } from '../drift/drift.ts'
import type { ExpectedStructure } from '../drift/expected-structures.ts'
import { factsOfPlaced, knownDrift } from '../facts/placed-facts.ts'
import type { PlacedFleet, PlacedProject } from './place-fleet.ts'
import type { RehearsalNotes } from './rehearsal-notes.ts'

export interface FleetViewDeps {
  readonly stores: Pick<ControlStores, 'projects' | 'tenants'>
  readonly drift: Pick<DriftReader, 'known'>
  readonly sizes: ProjectSizes
  readonly notes: RehearsalNotes
  /** Time of the last request to each schema. */
  readonly lastRequests: () => ReadonlyMap<string, EpochMillis>
}

export function showFleet(deps: FleetViewDeps, group: Group, placed: PlacedFleet): FleetWire {
  const { given, template, tenants, versions } = placed
  const requests = deps.lastRequests()
  const steps = stepsOf(placed)
  const current = deps.stores.projects.findProject(group.templateProjectId)?.slug
  const shown = tenants.map((tenant) =>
    showTenant(deps, { tenant, steps, current, given }, requests.get(tenant.project.schemaName)),
  )
  return {
    group: { id: group.id, name: group.name },
    steps,
    steps_given_at: given === undefined ? null : toIso(given.givenAt),
    template: template === undefined ? null : showVersion(deps, template, steps, given),
    versions: versions.map((version) => showVersion(deps, version, steps, given)),
    tenants: shown,
    unread: unreadProjects(deps, placed).length,
  }
}

/** A project whose size or differences must be read, for the first time or again. */
interface UnreadProject {
  readonly project: PlacedProject['project']
  /** The structure to compare with; `undefined` when the differences are known, or when no structure is expected. */
  readonly expectedStructure: ExpectedStructure | undefined
  /** Whether the number of users and the size must be read. */
  readonly isStale: boolean
}

/** Returns the projects that changed since they were read. Projects with the same expected structure are next to each other. */
export function unreadProjects(
  { drift, sizes }: Pick<FleetViewDeps, 'drift' | 'sizes'>,
  { template, tenants, versions }: PlacedFleet,
): readonly UnreadProject[] {
  const read = (one: PlacedProject, isStale: boolean): UnreadProject => {
    const { expectedStructure, project } = one
    const isKnown = knownDrift(drift, one) !== undefined
    return { project, expectedStructure: isKnown ? undefined : expectedStructure, isStale }
  }
  return [
    ...[...(template === undefined ? [] : [template]), ...versions].map((one) => read(one, false)),
    ...tenants.map((tenant) => read(tenant, sizes.isOutdated(tenant.project.schemaName))),
  ]
    .filter(({ expectedStructure, isStale }) => isStale || expectedStructure !== undefined)
    .toSorted((a, b) =>
      (a.expectedStructure?.key ?? '').localeCompare(b.expectedStructure?.key ?? ''),
    )
}

/** The part of the answer that describes the two facts about a project. */
function shownFacts(
  drift: Pick<DriftReader, 'known'>,
  placed: PlacedProject,
  given: object | undefined,
): Pick<FleetVersion, 'compared_with' | 'differences' | 'facts'> {
  const facts = factsOfPlaced(drift, placed, given !== undefined)
  const { compared_with, count } = facts.differences
  return { compared_with, differences: count, facts }
}

/** All given steps and all steps of the ledgers, the oldest first. */
function stepsOf({ given, template, tenants, versions }: PlacedFleet): readonly FleetStep[] {
  const files = new Map(given?.steps.map(({ file, version }) => [version, file]))
  const names = new Map<string, string>()
  const seen = new Set<object>()
  for (const { steps } of [
    ...versions,
    ...tenants,
    ...(template === undefined ? [] : [template]),
  ]) {
    // Projects with the same ledger share one map, which is read only once.
    if (seen.has(steps)) continue
    seen.add(steps)
    for (const [version, { name }] of steps) names.set(version, name)
  }
  for (const { name, version } of given?.steps ?? []) names.set(version, name)
  return [...names.keys()].toSorted().map((version) => ({
    version,
    name: names.get(version) ?? '',
    file: files.get(version) ?? null,
    published_in:
      versions.find(({ steps }) => isPresent(steps.get(version)?.state))?.project.slug ?? null,
  }))
}

function isPresent(state: string | undefined): boolean {
  return state !== undefined && state !== 'pending' && state !== 'out_of_order'
}

function statesOf(
  { steps: states }: PlacedProject,
  steps: readonly FleetStep[],
): FleetVersion['steps'] {
  return steps.map(({ version }) => states.get(version)?.state ?? null)
}

function showVersion(
  { drift }: Pick<FleetViewDeps, 'drift'>,
  placed: PlacedProject,
  steps: readonly FleetStep[],
  given: object | undefined,
): FleetVersion {
  const { problem, project } = placed
  return {
    slug: project.slug,
    number: numberOf(project.slug),
    steps: statesOf(placed, steps),
    problem: problem ?? null,
    ...shownFacts(drift, placed, given),
  }
}

interface ShownTenant {
  readonly tenant: PlacedProject
  readonly steps: readonly FleetStep[]
  /** Slug of the template that new tenants are cloned from. */
  readonly current: string | undefined
  /** The steps that were given to the emulator; `undefined` when no steps were given. */
  readonly given: PlacedFleet['given']
}

function showTenant(
  { drift, notes, sizes, stores }: FleetViewDeps,
  { current, given, steps, tenant }: ShownTenant,
  lastRequestAt: EpochMillis | undefined,
): FleetTenant {
  const { problem, project } = tenant
  const { schemaName, slug, templateVersion } = project
  const failure = notes.failureOf(schemaName, given?.digest)
  const record = stores.projects.findProjectBySlug(slug)
  const known = sizes.known(schemaName)
  const shown = shownFacts(drift, tenant, given)
  const isBehind = given !== undefined ? tenant.isBehind : templateVersion !== (current ?? null)
  return {
    slug,
    external_id: (record && stores.tenants.findTenantOfProject(record.id)?.externalId) ?? null,
    template_version: templateVersion === null ? null : numberOf(templateVersion),
    state: stateOf(tenant, { differences: shown.differences, failure, isBehind }),
    steps: statesOf(tenant, steps),
    problem: problem ?? failure ?? null,
    ...shown,
    rehearsal_failure: failure ?? null,
    users: known?.users ?? null,
    size_bytes: known === undefined ? null : known.databaseBytes + sizes.storedBytes(schemaName),
    last_request_at: lastRequestAt === undefined ? null : toIso(lastRequestAt),
  }
}

interface TenantFindings {
  readonly differences: number | null
  /** Why the last rehearsal of the tenant failed. */
  readonly failure: string | undefined
  readonly isBehind: boolean
}

function stateOf(
  { ledger, problem, project }: PlacedProject,
  { differences, failure, isBehind }: TenantFindings,
): FleetState {
  if (project.state === 'deleted') return 'deleted'
  if (ledger === undefined) return 'unknown'
  if (problem !== undefined) return 'conflict'
  if (failure !== undefined) return 'rehearsal_failed'
  if ((differences ?? 0) > 0) return 'drifted'
  return isBehind ? 'behind' : 'up_to_date'
}

// Published versions are named `<source>_v2`, `_v3`, … (docs/wire/platform.md#publish). The source is version 1.
function numberOf(slug: string): number {
  return Number(/_v(\d+)$/.exec(slug)?.[1] ?? 1)
}
