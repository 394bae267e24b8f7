// Routes of /_emulator/v1 for migrations (contract/migrations.ts).
import type { Context, Hono } from 'hono'
import { MIGRATION_OPERATIONS, type StepSource } from '../../contract/migrations.ts'
import type { OwnerId } from '../../core/names.ts'
import { loadSqlParser } from '../../database/sql-parser.ts'
import { InspectorError } from '../../insight/api-kit/errors.ts'
import { type Bindings, mount } from '../../insight/api-kit/mount.ts'
import type { Group } from '../../services/control/groups/groups.ts'
import { type Fleet, FleetFailure } from './apply/fleet.ts'
import { fleetStatus } from './apply/fleet-status.ts'
import { createLocalFleet, type LocalFleetDeps } from './apply/local-fleet.ts'
import { rollOut } from './apply/roll-out.ts'
import { type KnownDifferences, reportToWire, statusToWire } from './apply/to-wire.ts'
import type { DriftReader } from './drift/drift.ts'
import { knownDrift } from './facts/placed-facts.ts'
import { type FleetReader, placeFleet } from './fleet/place-fleet.ts'
import type { RehearsalNotes } from './fleet/rehearsal-notes.ts'
import type { StepStore } from './fleet/step-store.ts'
import { lintFleet } from './lint/lint-fleet.ts'
import { clientsIn, type RecordedRead } from './lint/traffic.ts'
import { type Step, toSteps } from './steps/step.ts'

/** The steps of a template, which the followed fixture has to fit. */
export interface StepsToFit {
  /** Slug of the template’s source. */
  readonly template: string
  readonly steps: readonly Step[]
  /** Versions of the steps that are new to the template. */
  readonly versions: readonly string[]
}

export interface MigrationDeps extends LocalFleetDeps, Pick<FleetReader, 'bases' | 'engine'> {
  readonly drift: DriftReader
  /** The account whose groups a request can name. */
  readonly developer: { readonly id: OwnerId }
  /** Remembers the steps of each group, for requests that send no steps. */
  readonly steps: StepStore
  readonly notes: RehearsalNotes
  /** Returns why the followed fixture no longer fits after steps of its template, and what to do. */
  readonly misfit: (steps: StepsToFit) => Promise<string | undefined>
  /** The latest requests to the data plane, newest first, without requests of the inspector. */
  readonly recordedReads: () => readonly RecordedRead[]
}

export function mountMigrations(app: Hono<Bindings>, deps: MigrationDeps): void {
  mount(app, MIGRATION_OPERATIONS, {
    'POST /groups/:group/migrations/status': async ({ body, c, params }) => {
      const group = findGroup(deps, params.group)
      const steps = stepsOf(deps, group, body.steps)
      const fleet = fleetOf(deps, group, c)
      return translating(async () =>
        statusToWire(
          group.name,
          await fleetStatus(fleet, steps, await loadSqlParser()),
          await knownDifferences(deps, group, fleet),
        ),
      )
    },
    'POST /groups/:group/migrations/apply': async ({ body, c, params }) => {
      const group = findGroup(deps, params.group)
      const { baseline, canary, dry_run: isDryRun, on_failure: onFailure, publish, tenants } = body
      const steps = stepsOf(deps, group, body.steps)
      const order = { steps, baseline, canary, isDryRun, onFailure, publish, tenants }
      return translating(async () => {
        const report = await rollOut(fleetOf(deps, group, c), order, await loadSqlParser())
        const { applied, pending, slug: template } = report.template
        const versions = isDryRun ? pending : applied
        return reportToWire(group.name, report, await deps.misfit({ template, steps, versions }))
      })
    },
    'POST /groups/:group/migrations/lint': async ({ body, c, params }) => {
      const group = findGroup(deps, params.group)
      const given = stepsOf(deps, group, body.steps)
      return translating(async () => {
        const { findings, steps } = await lintFleet(
          fleetOf(deps, group, c),
          given,
          await loadSqlParser(),
          clientsIn(deps.recordedReads()),
        )
        return { group: group.name, steps: steps.map(({ file }) => file), findings }
      })
    },
  })
}

/** Returns the known differences of the group's projects, by slug. Reads no structure. */
async function knownDifferences(
  deps: MigrationDeps,
  group: Group,
  fleet: Fleet,
): Promise<KnownDifferences> {
  const { template, tenants, versions } = await placeFleet(deps, group, fleet)
  const placed = [...(template === undefined ? [] : [template]), ...versions, ...tenants]
  const bySlug = new Map(placed.map((one) => [one.project.slug, one]))
  return (slug) => {
    const found = bySlug.get(slug)
    return found && knownDrift(deps.drift, found)
  }
}

/** Returns the group's projects as a fleet for the duration of a request. */
export function fleetOf(deps: MigrationDeps, group: Group, { env, req }: Context<Bindings>): Fleet {
  const { addresses, requestId } = env
  return createLocalFleet(deps, group, { addresses, requestId, signal: req.raw.signal })
}

/** Finds a group by id, or a group of the developer by name. @throws {InspectorError} `not_found` */
export function findGroup({ developer, stores }: MigrationDeps, reference: string): Group {
  const owned = stores.groups.listGroups(developer.id)
  const group = stores.groups.findGroup(reference) ?? owned.find(({ name }) => name === reference)
  if (group !== undefined) return group
  throw new InspectorError('not_found', `There is no group ${reference}.`, {
    hint: `The groups are: ${owned.map(({ name }) => name).join(', ') || 'none'}.`,
  })
}

/**
 * Remembers the given steps for the group, unless `remember` is false. Returns the remembered steps when none are given.
 * @throws {InspectorError} `invalid_request` naming every file that is not a step; `conflict` when no steps are known
 */
export function stepsOf(
  { steps: store }: Pick<MigrationDeps, 'steps'>,
  group: Group,
  sources: readonly StepSource[] | undefined,
  { remember = true }: { readonly remember?: boolean } = {},
): readonly Step[] {
  if (sources === undefined) {
    const known = store.of(group.id)
    if (known !== undefined) return known.steps
    throw new InspectorError('conflict', `No steps are known for the group ${group.name}.`, {
      hint: 'Send steps with the request, or run "tenantry migrate status" in the application’s folder.',
    })
  }
  const { problems, steps } = toSteps(sources)
  if (problems.length > 0)
    throw new InspectorError('invalid_request', problems.map(({ message }) => message).join(' '))
  if (remember) store.remember(group.id, steps)
  return steps
}

/** Converts failures of a fleet to errors of the API. @throws {InspectorError} */
export async function translating<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error
    const code = error.code === 'unknown_tenant' ? 'not_found' : 'conflict'
    throw new InspectorError(
      code,
      error.message,
      error.hint === undefined ? {} : { hint: error.hint },
    )
  }
}
