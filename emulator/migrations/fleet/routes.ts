// Routes of /_emulator/v1 for the fleet of a group (contract/fleet.ts).
import type { Context, Hono } from 'hono'
import { InspectorError } from '../../api-kit/errors.ts'
import { type Bindings, mount } from '../../api-kit/mount.ts'
import { FLEET_OPERATIONS } from '../../contract/fleet.ts'
import type { Group } from '../../control/groups/groups.ts'
import { findGroup, fleetOf, type MigrationDeps } from '../routes.ts'
import { closingStatements } from './comparisons.ts'
import { type FleetReader, type PlacedFleet, placeFleet, referenceOf } from './place-fleet.ts'
import { type FleetViewDeps, showFleet, unreadTenants } from './show-fleet.ts'

export interface FleetRouteDeps
  extends MigrationDeps,
    Pick<FleetReader, 'engine'>,
    Pick<FleetViewDeps, 'comparisons' | 'facts' | 'lastRequests'> {}

/** Tenants of one call, so that a call does not keep the database busy for long. */
const READ_AT_ONCE = 20

export function mountFleet(app: Hono<Bindings>, deps: FleetRouteDeps): void {
  mount(app, FLEET_OPERATIONS, {
    'GET /groups/:group/fleet': async ({ c, params }) => {
      const group = findGroup(deps, params.group)
      return showFleet(deps, group, await place(deps, group, c))
    },
    'POST /groups/:group/fleet/survey': async ({ c, params }) => {
      const unread = unreadTenants(deps, await place(deps, findGroup(deps, params.group), c))
      const next = unread.slice(0, READ_AT_ONCE)
      await deps.facts.read(
        next.filter(({ isStale }) => isStale).map(({ schemaName }) => schemaName),
      )
      for (const { reference, schemaName } of next)
        if (reference !== undefined) await deps.comparisons.compare(schemaName, reference)
      return { unread: unread.length - next.length }
    },
    'GET /groups/:group/fleet/:slug/drift': async ({ c, params: { group: named, slug } }) => {
      const group = findGroup(deps, named)
      const placed = await place(deps, group, c)
      const tenant = placed.tenants.find(({ project }) => project.slug === slug)
      if (tenant === undefined)
        throw new InspectorError('not_found', `The group ${group.name} has no tenant ${slug}.`)
      const reference = referenceOf(tenant, placed)
      const { schemaName } = tenant.project
      if (reference === undefined)
        return { slug, compared_with: null, differences: [], statements: null }
      const differences = await deps.comparisons.compare(schemaName, reference.schemaName)
      return {
        slug,
        compared_with: reference.slug,
        differences: [...differences],
        statements:
          differences.length === 0
            ? null
            : await closingStatements(deps.engine, schemaName, reference.schemaName),
      }
    },
  })
}

function place(deps: FleetRouteDeps, group: Group, c: Context<Bindings>): Promise<PlacedFleet> {
  return placeFleet(deps, group, fleetOf(deps, group, c))
}
