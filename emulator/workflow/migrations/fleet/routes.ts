// Routes of /_emulator/v1 for the fleet of a group (contract/fleet.ts).
import type { Context, Hono } from 'hono'
import { FLEET_OPERATIONS } from '../../../contract/fleet.ts'
import { SqlError } from '../../../database/engine.ts'
import { InspectorError } from '../../../insight/api-kit/errors.ts'
import { type Bindings, mount } from '../../../insight/api-kit/mount.ts'
import type { Group } from '../../../services/control/groups/groups.ts'
import type { FleetProject } from '../apply/fleet.ts'
import { closingDrift, type DriftFinderDeps } from '../drift/project-drift.ts'
import { findGroup, fleetOf, type MigrationDeps } from '../routes.ts'
import { type PlacedFleet, placeFleet } from './place-fleet.ts'
import { type FleetViewDeps, showFleet, unreadProjects } from './show-fleet.ts'

export interface FleetRouteDeps
  extends MigrationDeps,
    Pick<DriftFinderDeps, 'bases' | 'drift' | 'engine'>,
    Pick<FleetViewDeps, 'sizes' | 'lastRequests'> {}

/** Maximum number of projects that one call reads, so that a call does not keep the database busy for long. */
const READ_AT_ONCE = 20

export function mountFleet(app: Hono<Bindings>, deps: FleetRouteDeps): void {
  mount(app, FLEET_OPERATIONS, {
    'GET /groups/:group/fleet': async ({ c, params }) => {
      const group = findGroup(deps, params.group)
      return showFleet(deps, group, await place(deps, group, c))
    },
    'POST /groups/:group/fleet/survey': async ({ c, params }) => {
      const unread = unreadProjects(deps, await place(deps, findGroup(deps, params.group), c))
      const next = unread.slice(0, READ_AT_ONCE)
      const stale = next.filter(({ isStale }) => isStale).map(({ project }) => project)
      await unlessRemoved(deps, stale, () =>
        deps.sizes.read(stale.map(({ schemaName }) => schemaName)),
      )
      for (const { expectedStructure, project } of next)
        if (expectedStructure !== undefined)
          await unlessRemoved(deps, [project], () =>
            deps.drift.of(project.schemaName, expectedStructure),
          )
      return { unread: unread.length - next.length }
    },
    'GET /groups/:group/fleet/:slug/drift': async ({
      c,
      params: { group: named, slug },
      query,
    }) => {
      const group = findGroup(deps, named)
      const { template, tenants, versions } = await place(deps, group, c)
      const placed = [template, ...versions, ...tenants].find((one) => one?.project.slug === slug)
      if (placed === undefined)
        throw new InspectorError('not_found', `The group ${group.name} has no project ${slug}.`)
      const { expectedStructure, problem, project } = placed
      if (expectedStructure === undefined)
        return {
          slug,
          compared_with: null,
          note: problem ?? null,
          differences: [],
          statements: null,
          into_template: null,
        }
      const options = { allowDestructive: query.allow_destructive === 'true' }
      const found = await closingDrift(deps.drift, project, expectedStructure, options)
      const isSame = found.differences.length === 0 || slug === template?.project.slug
      const intoTemplate = isSame
        ? undefined
        : await deps.drift.spreading(project.schemaName, expectedStructure, options)
      return {
        slug,
        compared_with: found.comparedWith ?? null,
        note: found.note ?? null,
        differences: [...found.differences],
        statements: found.closingSql ?? null,
        into_template: intoTemplate ?? null,
      }
    },
  })
}

/** Reads projects. When one of them was removed meanwhile, the next call reads the others. @throws {SqlError} */
async function unlessRemoved(
  { stores }: FleetRouteDeps,
  projects: readonly FleetProject[],
  read: () => Promise<unknown>,
): Promise<void> {
  try {
    await read()
  } catch (error) {
    const isRemoved = projects.some(
      ({ slug }) => stores.projects.findProjectBySlug(slug)?.state !== 'active',
    )
    if (!(error instanceof SqlError && isRemoved)) throw error
  }
}

function place(deps: FleetRouteDeps, group: Group, c: Context<Bindings>): Promise<PlacedFleet> {
  return placeFleet(deps, group, fleetOf(deps, group, c))
}
