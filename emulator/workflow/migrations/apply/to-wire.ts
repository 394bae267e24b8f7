// Converts the results of migrations to their form in JSON (contract/migrations.ts). Pure.
import type {
  MigrationFailure,
  MigrationProject,
  MigrationReport,
  MigrationResult,
  MigrationStatus,
} from '../../../contract/migrations.ts'
import { MISSING_KEY } from './fleet.ts'
import type { FleetStatus, ProjectStatus } from './fleet-status.ts'
import type { ProjectResult, RolloutReport } from './roll-out.ts'
import type { StepFailure } from './step-failure.ts'

export function statusToWire(
  group: string,
  { template, tenants, versions }: FleetStatus,
): MigrationStatus {
  return {
    group,
    template: projectToWire(template),
    versions: versions.map(projectToWire),
    tenants: tenants.map(projectToWire),
  }
}

function projectToWire({
  problem,
  slug,
  state,
  steps,
  templateVersion,
}: ProjectStatus): MigrationProject {
  return {
    slug,
    template_version: templateVersion,
    state,
    steps: steps.map(({ name, state: stepState, version }) => ({
      version,
      name,
      state: stepState,
    })),
    problem: problem ?? null,
  }
}

export function reportToWire(group: string, report: RolloutReport): MigrationReport {
  const { publishFailure, published, template, tenants, versions } = report
  // A version that no key reaches is named, and does not make the run fail.
  const areRecorded = versions.every(
    ({ failure }) => failure === undefined || failure.code === MISSING_KEY,
  )
  return {
    group,
    ok: template.ok && areRecorded && publishFailure === undefined && tenants.every(({ ok }) => ok),
    template: resultToWire(template),
    versions: versions.map(({ failure, recorded, slug }) => ({
      slug,
      recorded: [...recorded],
      error: failureToWire(failure),
    })),
    published: published ?? null,
    publish_error: failureToWire(publishFailure),
    tenants: tenants.map(resultToWire),
  }
}

export function resultToWire({
  applied,
  failure,
  ok,
  pending,
  skipped,
  slug,
}: ProjectResult): MigrationResult {
  return { slug, ok, applied, pending, skipped: skipped ?? null, error: failureToWire(failure) }
}

function failureToWire(failure: StepFailure | undefined): MigrationFailure | null {
  if (failure === undefined) return null
  const { code, line, message, statement, step } = failure
  return { step: step ?? null, statement: statement ?? null, line: line ?? null, code, message }
}
