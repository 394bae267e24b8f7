// The route that rehearses steps on a group (contract/rehearsals.ts).
import type { Hono } from 'hono'
import {
  type ProjectRehearsal,
  REHEARSAL_OPERATIONS,
  type RehearsalReport,
} from '../../../contract/rehearsals.ts'
import type { Clock } from '../../../core/clock.ts'
import type { EngineRehearsals } from '../../../database/rehearsal.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import type { IdentityDeps } from '../../../insight/api-kit/identities.ts'
import { type Bindings, mount } from '../../../insight/api-kit/mount.ts'
import { chooseIdentities } from '../../../insight/visibility/choose-identities.ts'
import { type Fleet, FleetFailure, type FleetProject } from '../apply/fleet.ts'
import { selectTenants } from '../apply/roll-out.ts'
import { createDriftFinder } from '../drift/project-drift.ts'
import type { DriftRouteDeps } from '../drift/routes.ts'
import { findGroup, fleetOf, stepsOf, translating } from '../routes.ts'
import type { Step } from '../steps/step.ts'
import { type RehearsalDeps, rehearseTenant, type TenantRehearsal } from './rehearse-tenant.ts'
import { rehearsalToWire } from './to-wire.ts'

export interface RehearsalRouteDeps extends DriftRouteDeps {
  readonly rehearsals: EngineRehearsals
  readonly identities: IdentityDeps
  readonly wallClock: Clock
}

export function mountRehearsals(app: Hono<Bindings>, deps: RehearsalRouteDeps): void {
  mount(app, REHEARSAL_OPERATIONS, {
    'POST /groups/:group/migrations/rehearse': async ({ body, c, env, params }) => {
      const group = findGroup(deps, params.group)
      const steps = stepsOf(deps, group, body.steps, body)
      const isKnown = body.remember || body.steps === undefined
      const digest = deps.steps.of(group.id)?.digest
      const fleet = fleetOf(deps, group, c)
      const parser = await loadSqlParser()
      const { signal } = c.req.raw
      const run = {
        engine: deps.rehearsals,
        parser,
        signal,
        watchesFrom: 0,
        watchesKept: true,
      }
      return translating(async (): Promise<RehearsalReport> => {
        const startedAt = deps.wallClock.now()
        const finder = await createDriftFinder(deps, group, fleet, steps)
        const rehearse = async (project: FleetProject): Promise<ProjectRehearsal> => {
          const drift = await finder.of(project)
          const found = await rehearseProject(deps, run, { fleet, project, steps, ...env })
          const rehearsal = rehearsalToWire(project.slug, found, drift)
          if (isKnown) deps.notes.note(project.schemaName, digest, rehearsal)
          return rehearsal
        }
        const all = (await fleet.tenants()).filter(({ state }) => state === 'active')
        const chosen = selectTenants(all, { canary: [], tenants: body.tenants })
        const template = await rehearse(await fleet.template())
        const tenants: ProjectRehearsal[] = []
        for (const project of chosen) tenants.push(await rehearse(project))
        const { ok, pending, slug } = template
        const versions = ok ? pending : []
        const misfit = await deps.misfit({ template: slug, steps, versions })
        return {
          group: group.name,
          ok: [template, ...tenants].every(({ ok }) => ok),
          template,
          tenants,
          fixture_problem: misfit ?? null,
          duration_ms: deps.wallClock.now() - startedAt,
        }
      })
    },
    'GET /groups/:group/migrations/rehearsals': ({ c, params }) => {
      const group = findGroup(deps, params.group)
      const fleet = fleetOf(deps, group, c)
      const digest = deps.steps.of(group.id)?.digest
      return translating(async () => {
        const all = [await fleet.template(), ...(await fleet.tenants())]
        const projects = all.flatMap(
          ({ schemaName }) => deps.notes.rehearsalOf(schemaName, digest) ?? [],
        )
        return { projects }
      })
    },
  })
}

export interface RehearsedProject {
  readonly fleet: Fleet
  readonly project: FleetProject
  readonly steps: readonly Step[]
  readonly addresses: Parameters<typeof chooseIdentities>[2]
  /** Chooses the identities whose visible rows are compared. */
  readonly choose?: typeof chooseIdentities
}

/** @throws {FleetFailure} when the project was removed meanwhile */
export function rehearseProject(
  { identities, stores }: RehearsalRouteDeps,
  run: RehearsalDeps,
  { addresses, choose = chooseIdentities, fleet, project: named, steps }: RehearsedProject,
): Promise<TenantRehearsal> {
  const project = stores.projects.findProjectBySlug(named.slug)
  if (project === undefined)
    throw new FleetFailure('refused', 'not_found', `There is no project ${named.slug}.`)
  const tenant = {
    schemaName: project.schemaName,
    exec: (sql: string) => fleet.exec(named, sql),
    identities: () => choose(identities, project, addresses),
  }
  return rehearseTenant(run, tenant, steps)
}
