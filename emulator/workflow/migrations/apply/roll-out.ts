// Carries pending steps out on a fleet: the template first, then its publication, then the tenants one by one.
import type { SqlParser } from '../../../database/sql-parser.ts'
import { type ReadLedger, readLedger } from '../ledger/read-ledger.ts'
import { compareSteps } from '../steps/compare-steps.ts'
import type { Step } from '../steps/step.ts'
import { applySteps } from './apply-steps.ts'
import { type BaselinedVersion, baselineVersions } from './baseline.ts'
import { type Fleet, FleetFailure, type FleetProject, MISSING_KEY } from './fleet.ts'
import { failureOfFleet, type StepFailure } from './step-failure.ts'

export interface RolloutOrder {
  readonly steps: readonly Step[]
  readonly tenants: 'all' | 'none' | readonly string[]
  readonly publish: boolean
  /** Slugs of tenants that get the steps first. When one of them fails, the other tenants are skipped. */
  readonly canary: readonly string[]
  readonly onFailure: 'continue' | 'stop'
  readonly isDryRun: boolean
  /** In a project without a ledger, steps up to this version are recorded as applied and do not run. */
  readonly baseline: string | undefined
  /** Keeps the rows that steps change, so that `tenantry dev` can undo them (redo/kept-rows.ts). */
  readonly keepsRows?: boolean
}

/** Why the steps were not run in a tenant. `deleted`: the tenant is offline. The other reasons name an earlier failure. */
export type SkipReason =
  | 'deleted'
  | 'template_failed'
  | 'publish_failed'
  | 'canary_failed'
  | 'stopped'

export interface ProjectResult {
  readonly slug: string
  readonly ok: boolean
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  readonly skipped: SkipReason | undefined
  readonly failure: StepFailure | undefined
}

export interface RolloutReport {
  readonly template: ProjectResult
  /** Published versions that had no ledger, with the result of recording the baseline. Empty without a baseline. */
  readonly versions: readonly BaselinedVersion[]
  /** Slug of the published version that contains the steps; `undefined` when publishing was not ordered, or failed. */
  readonly published: string | undefined
  readonly publishFailure: StepFailure | undefined
  readonly tenants: readonly ProjectResult[]
}

/** Callbacks that record the progress of a rollout. */
export interface RolloutWatch {
  onTemplate?(result: ProjectResult): void
  onPublished?(slug: string): void
  /** Before the first tenant. @param total number of tenants, those that will be skipped included */
  onTenants?(total: number): void
  /** @param total number of tenants */
  onTenant?(result: ProjectResult, total: number): void
  /** Returns the slug of the version that an earlier run published with exactly these steps. */
  publishedBefore?(): string | undefined
}

/** @throws {FleetFailure} when the template or the tenants cannot be found */
export async function rollOut(
  fleet: Fleet,
  order: RolloutOrder,
  parser: SqlParser,
  watch: RolloutWatch = {},
): Promise<RolloutReport> {
  const run = (project: FleetProject): Promise<ProjectResult> =>
    applyTo(fleet, project, order, parser)
  const hasTenants = order.tenants !== 'none' || order.canary.length > 0
  const tenants = hasTenants ? selectTenants(await fleet.tenants(), order) : []
  const template = await run(await fleet.template())
  watch.onTemplate?.(template)
  const { baseline, isDryRun, steps } = order
  const isBaselined = baseline !== undefined && template.ok
  const versions = isBaselined ? await baselineVersions(fleet, steps, { baseline, isDryRun }) : []
  const publication = template.ok ? await publish(fleet, order, parser, watch) : {}
  const reason = !template.ok
    ? 'template_failed'
    : publication.failure === undefined
      ? undefined
      : 'publish_failed'
  const results = await runTenants(tenants, order, run, watch, reason)
  return {
    template,
    versions,
    published: publication.slug,
    publishFailure: publication.failure,
    tenants: results,
  }
}

/** @throws {FleetFailure} `unknown_tenant` */
export function selectTenants(
  all: readonly FleetProject[],
  { canary, tenants }: Pick<RolloutOrder, 'canary' | 'tenants'>,
): readonly FleetProject[] {
  const wanted = Array.isArray(tenants) ? (tenants as readonly string[]) : []
  for (const slug of [...wanted, ...canary])
    if (!all.some((project) => project.slug === slug))
      throw new FleetFailure(
        'refused',
        'unknown_tenant',
        `The group has no tenant ${slug}.`,
        'Nothing was applied. Name tenants by their slugs.',
      )
  const chosen = all.filter(
    ({ slug }) => tenants === 'all' || wanted.includes(slug) || canary.includes(slug),
  )
  const rank = ({ slug }: FleetProject): number => (canary.includes(slug) ? 0 : 1)
  return chosen.toSorted((a, b) => rank(a) - rank(b))
}

async function runTenants(
  tenants: readonly FleetProject[],
  { canary, onFailure }: RolloutOrder,
  run: (project: FleetProject) => Promise<ProjectResult>,
  watch: RolloutWatch,
  failed: SkipReason | undefined,
): Promise<readonly ProjectResult[]> {
  const results: ProjectResult[] = []
  let reason = failed
  let hasCanaryFailed = false
  if (tenants.length > 0) watch.onTenants?.(tenants.length)
  for (const tenant of tenants) {
    const isCanary = canary.includes(tenant.slug)
    if (hasCanaryFailed && !isCanary) reason ??= 'canary_failed'
    const skipped = tenant.state === 'deleted' ? 'deleted' : reason
    const result = skipped === undefined ? await run(tenant) : skippedResult(tenant, skipped)
    results.push(result)
    watch.onTenant?.(result, tenants.length)
    if (result.ok || skipped !== undefined) continue
    hasCanaryFailed ||= isCanary
    if (onFailure === 'stop' || result.failure?.isUnauthorized === true) reason ??= 'stopped'
  }
  return results
}

function skippedResult({ slug }: FleetProject, skipped: SkipReason): ProjectResult {
  return { slug, ok: skipped === 'deleted', applied: [], pending: [], skipped, failure: undefined }
}

async function applyTo(
  fleet: Fleet,
  project: FleetProject,
  { baseline, isDryRun, keepsRows = false, steps }: RolloutOrder,
  parser: SqlParser,
): Promise<ProjectResult> {
  const exec = (sql: string) => fleet.exec(project, sql)
  const { applied, failure, pending } = await applySteps(exec, steps, parser, {
    baseline,
    isDryRun,
    keepsRows,
  })
  const { slug } = project
  return { slug, ok: failure === undefined, applied, pending, skipped: undefined, failure }
}

interface Publication {
  readonly slug?: string | undefined
  readonly failure?: StepFailure
}

/** Publishes the template, unless the newest version already has all steps. */
async function publish(
  fleet: Fleet,
  { isDryRun, publish: isWanted, steps }: RolloutOrder,
  parser: SqlParser,
  watch: RolloutWatch,
): Promise<Publication> {
  if (!isWanted || isDryRun) return {}
  try {
    const before = watch.publishedBefore?.() ?? (await publishedWith(fleet, steps, parser))
    if (before !== undefined) return { slug: before }
    const slug = await fleet.publish()
    watch.onPublished?.(slug)
    return { slug }
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error
    return { failure: failureOfFleet(error) }
  }
}

async function publishedWith(
  fleet: Fleet,
  steps: readonly Step[],
  parser: SqlParser,
): Promise<string | undefined> {
  const newest = (await fleet.versions()).at(-1)
  const read = newest && (await readLedgerOf(fleet, newest))
  if (newest === undefined || read?.kind !== 'read') return undefined
  const compared = compareSteps(steps, read.ledger.applied, parser)
  return compared.every(({ state }) => state === 'applied') ? newest.slug : undefined
}

/** Returns `undefined` when the version cannot be read because no key is set for it. */
async function readLedgerOf(fleet: Fleet, version: FleetProject): Promise<ReadLedger | undefined> {
  try {
    return await readLedger((sql) => fleet.exec(version, sql))
  } catch (error) {
    if (error instanceof FleetFailure && error.code === MISSING_KEY) return undefined
    throw error
  }
}
