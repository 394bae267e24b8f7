// Compares the steps of a folder with the ledgers of a fleet: the template, its versions and its tenants.
import type { SqlParser } from '../../../database/sql-parser.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import {
  type ComparedStep,
  compareSteps,
  conflictOf,
  pendingSteps,
} from '../steps/compare-steps.ts'
import type { Step } from '../steps/step.ts'
import { type Fleet, FleetFailure, type FleetProject } from './fleet.ts'

export interface ProjectStatus {
  readonly slug: string
  readonly templateVersion: string | null
  /** `unknown`: the ledger could not be read, and `problem` says why. */
  readonly state: 'up_to_date' | 'behind' | 'conflict' | 'deleted' | 'unknown'
  readonly steps: readonly ComparedStep[]
  readonly problem: string | undefined
}

export interface FleetStatus {
  readonly template: ProjectStatus
  readonly versions: readonly ProjectStatus[]
  readonly tenants: readonly ProjectStatus[]
}

/** @throws {FleetFailure} when the template or the tenants cannot be found */
export async function fleetStatus(
  fleet: Fleet,
  steps: readonly Step[],
  parser: SqlParser,
): Promise<FleetStatus> {
  const of = (project: FleetProject): Promise<ProjectStatus> =>
    projectStatus(fleet, project, steps, parser)
  const template = await of(await fleet.template())
  const all = async (projects: readonly FleetProject[]): Promise<ProjectStatus[]> => {
    const found: ProjectStatus[] = []
    for (const project of projects) found.push(await of(project))
    return found
  }
  return {
    template,
    versions: await all(await fleet.versions()),
    tenants: await all(await fleet.tenants()),
  }
}

async function projectStatus(
  fleet: Fleet,
  project: FleetProject,
  steps: readonly Step[],
  parser: SqlParser,
): Promise<ProjectStatus> {
  const { slug, state, templateVersion } = project
  const unknown = (problem: string): ProjectStatus => ({
    slug,
    templateVersion,
    state: state === 'deleted' ? 'deleted' : 'unknown',
    steps: [],
    problem,
  })
  try {
    const read = await readLedger((sql) => fleet.exec(project, sql))
    if (read.kind === 'failed') return unknown(`${read.message} (${read.code})`)
    const compared = compareSteps(steps, read.ledger.applied, parser)
    const problem = conflictOf(compared)
    const isBehind = pendingSteps(compared).length > 0
    const current = problem !== undefined ? 'conflict' : isBehind ? 'behind' : 'up_to_date'
    return {
      slug,
      templateVersion,
      state: state === 'deleted' ? state : current,
      steps: compared,
      problem,
    }
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error
    return unknown([error.message, error.hint].filter(Boolean).join(' '))
  }
}
