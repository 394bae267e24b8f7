// Converts the results of migrations to their form in JSON (contract/migrations.ts). Pure.
import type {
  MigrationFailure,
  MigrationProject,
  MigrationReport,
  MigrationResult,
  MigrationStatus,
} from '../../../contract/migrations.ts'
import { type FoundDifferences, projectFacts } from '../facts/project-facts.ts'
import { MISSING_KEY } from './fleet.ts'
import type { FleetStatus, ProjectStatus } from './fleet-status.ts'
import type { ProjectResult, RolloutReport } from './roll-out.ts'
import type { StepFailure } from './step-failure.ts'

/** @param known returns the known differences of a project */
export function statusToWire(
  group: string,
  { template, tenants, versions }: FleetStatus,
  known: KnownDifferences,
): MigrationStatus {
  return {
    group,
    template: projectToWire(template, known),
    versions: versions.map((version) => projectToWire(version, frozen)),
    tenants: tenants.map((tenant) => projectToWire(tenant, known)),
  }
}

/** A published version is frozen and is itself the expected structure, so that it has no differences. */
const frozen: KnownDifferences = (slug) => ({ comparedWith: slug, differences: [] })

export type KnownDifferences = (slug: string) => FoundDifferences | undefined

function projectToWire(
  { problem, slug, state, steps, templateVersion }: ProjectStatus,
  known: KnownDifferences,
): MigrationProject {
  // A conflict always names a step. A problem without any step therefore means that the ledger could not be read.
  const isRead = steps.length > 0 || problem === undefined
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
    facts: projectFacts(
      { states: isRead ? steps.map((step) => step.state) : undefined, areKnown: true, problem },
      { isComparable: isRead && state !== 'deleted', drift: known(slug) },
    ),
  }
}

/** @param misfit why the followed fixture no longer fits */
export function reportToWire(
  group: string,
  report: RolloutReport,
  misfit?: string,
): MigrationReport {
  const { publishFailure, published, template, tenants, versions } = report
  // The report names a version for which no key is set. Such a version does not make the run fail.
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
    fixture_problem: misfit ?? null,
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
