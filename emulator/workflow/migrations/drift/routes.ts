// Routes of /_emulator/v1 for drift and generated steps (contract/drift.ts).
import type { Hono } from 'hono'
import { DRIFT_OPERATIONS, type GeneratedStep, type ProjectDrift } from '../../../contract/drift.ts'
import { RenameError } from '../../../database/differ/renames.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import { InspectorError } from '../../../insight/api-kit/errors.ts'
import { type Bindings, mount } from '../../../insight/api-kit/mount.ts'
import type { FleetProject } from '../apply/fleet.ts'
import { selectTenants } from '../apply/roll-out.ts'
import { type Generated, generateStep, recordStep } from '../generate/generate-step.ts'
import { findGroup, fleetOf, type MigrationDeps, stepsOf, translating } from '../routes.ts'
import { createDriftFinder, type DriftFinderDeps, driftToWire } from './project-drift.ts'
import type { StepStructures } from './step-structures.ts'

export interface DriftRouteDeps
  extends MigrationDeps,
    Pick<DriftFinderDeps, 'bases' | 'drift' | 'engine'> {
  readonly stepStructures: StepStructures
}

export function mountDrift(app: Hono<Bindings>, deps: DriftRouteDeps): void {
  mount(app, DRIFT_OPERATIONS, {
    'POST /groups/:group/migrations/drift': async ({ body, c, params }) => {
      const group = findGroup(deps, params.group)
      const fleet = fleetOf(deps, group, c)
      const steps = stepsOf(deps, group, body.steps)
      return translating(async () => {
        const finder = await createDriftFinder(deps, group, fleet, steps)
        const of = async (project: FleetProject): Promise<ProjectDrift> =>
          driftToWire(project, await finder.withClosing(project))
        const all = (await fleet.tenants()).filter(({ state }) => state === 'active')
        const chosen = selectTenants(all, { canary: [], tenants: body.tenants })
        const template = await of(await fleet.template())
        const tenants: ProjectDrift[] = []
        for (const project of chosen) tenants.push(await of(project))
        return { group: group.name, template, tenants }
      })
    },
    'POST /groups/:group/migrations/generate': async ({ body, c, params }) => {
      const group = findGroup(deps, params.group)
      const fleet = fleetOf(deps, group, c)
      const run = { ...deps, parser: await loadSqlParser() }
      const steps = stepsOf(deps, group, body.steps)
      const options = { allowDestructive: body.allow_destructive, renames: body.renames }
      return translating(async () =>
        generatedToWire(
          await refusingRenames(() => generateStep(run, { group, fleet, steps }, options)),
          options,
        ),
      )
    },
    'POST /groups/:group/migrations/record': async ({ body, c, params }) => {
      const group = findGroup(deps, params.group)
      const steps = stepsOf(deps, group, body.steps)
      const { version } = body
      const parser = await loadSqlParser()
      return translating(async () => {
        await recordStep(parser, fleetOf(deps, group, c), steps, version)
        return { group: group.name, version }
      })
    },
  })
}

/** @throws {InspectorError} `invalid_request` for a rename that does not fit */
async function refusingRenames<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RenameError)) throw error
    throw new InspectorError('invalid_request', error.message)
  }
}

function generatedToWire(
  { notGenerated, renameCandidates, sql, statements }: Generated,
  { allowDestructive }: { readonly allowDestructive: boolean },
): GeneratedStep {
  const held = allowDestructive ? 0 : statements.filter(({ isHeldBack }) => isHeldBack).length
  return {
    sql,
    statements: statements.length - held,
    destroys: statements.flatMap(({ destroys: reason, sql: text }) =>
      reason === undefined ? [] : [{ sql: text, reason }],
    ),
    held_back: held,
    rename_candidates: [...renameCandidates],
    not_generated: [...notGenerated],
  }
}
