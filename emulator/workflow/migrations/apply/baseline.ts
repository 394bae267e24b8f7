// Records steps as applied in projects that were built without steps. The steps do not run.
import { type Ledger, ledgerAfter, recordEntry, wholeEntry } from '../ledger/ledger.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { Step } from '../steps/step.ts'
import { type Exec, type Fleet, FleetFailure, type FleetProject } from './fleet.ts'
import { failureOf, failureOfFleet, type StepFailure } from './step-failure.ts'

/** Returns the ledger's entries for these recorded steps. */
export function baselineOf(steps: readonly Step[]): Ledger['applied'] {
  return steps.map(({ checksum, name, version }) => ({
    version,
    name,
    checksum,
    applied_at: null,
    statements_done: null,
  }))
}

/** Records the known steps. Returns the ledger after that. @throws {FleetFailure} */
export async function recordBaseline(
  exec: Exec,
  empty: Ledger,
  known: readonly Step[],
): Promise<Ledger> {
  let ledger = empty
  const texts: string[] = []
  for (const step of known) {
    texts.push(recordEntry(ledger, wholeEntry(step)))
    ledger = ledgerAfter(ledger, wholeEntry(step))
  }
  const recorded = texts.length === 0 ? undefined : await exec(texts.join(' '))
  if (recorded?.kind === 'failed')
    throw new FleetFailure('refused', recorded.code, recorded.message)
  return ledger
}

/** A published version that had no ledger, with its recorded steps. */
export interface BaselinedVersion {
  readonly slug: string
  /** Versions of the steps that were recorded, or that a dry run would record. */
  readonly recorded: readonly string[]
  readonly failure: StepFailure | undefined
}

/**
 * Records the baseline in the published versions that have no ledger, because new tenants are cloned from the versions. Pending
 * steps do not run in a version, because a version is frozen.
 */
export async function baselineVersions(
  fleet: Fleet,
  steps: readonly Step[],
  { baseline, isDryRun }: { readonly baseline: string; readonly isDryRun: boolean },
): Promise<readonly BaselinedVersion[]> {
  const known = steps.filter(({ version }) => version <= baseline)
  const found: BaselinedVersion[] = []
  for (const version of await fleet.versions()) {
    const result = await baselineVersion(fleet, version, isDryRun, known)
    if (result !== undefined) found.push(result)
  }
  return found
}

async function baselineVersion(
  fleet: Fleet,
  project: FleetProject,
  isDryRun: boolean,
  known: readonly Step[],
): Promise<BaselinedVersion | undefined> {
  const exec: Exec = (sql) => fleet.exec(project, sql)
  const recorded = known.map(({ version }) => version)
  const failed = (failure: StepFailure): BaselinedVersion => ({
    slug: project.slug,
    recorded: [],
    failure,
  })
  try {
    const read = await readLedger(exec)
    if (read.kind === 'failed') return failed(failureOf(read))
    if (read.ledger.source !== 'none') return undefined
    if (!isDryRun) await recordBaseline(exec, read.ledger, known)
    return { slug: project.slug, recorded, failure: undefined }
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error
    return failed(failureOfFleet(error))
  }
}
