// Audits tenants of a running emulator one after the other, and then asks across them.
import type { Audit, AuditFinding, CrossingReport } from '../../../contract/audit.ts'
import { type AuditCause, causesOf } from '../../../contract/audit-causes.ts'
import { EmulatorError } from '../../../core/errors.ts'
import type { RunningEmulator } from '../../../platform/http-client/running-emulator.ts'
import type { BaselineFile } from './baseline-file.ts'

export const FAIL_LEVELS = ['error', 'warning', 'never'] as const
export type FailLevel = (typeof FAIL_LEVELS)[number]

/** What `tenantry audit --json` prints. */
export interface AuditOutcome {
  /** Whether the exit code is 0. */
  readonly ok: boolean
  /** Open findings, without accepted ones. */
  readonly errors: number
  readonly warnings: number
  readonly accepted: number
  /** The findings of all tenants, by cause. */
  readonly causes: readonly AuditCause[]
  readonly tenants: readonly Audit[]
  /** Each tenant's identities ask for the next tenant's data, and the last one's for the first one's. */
  readonly crossings: readonly CrossingReport[]
}

export interface AuditRun {
  /** Slugs; all tenants when absent. */
  readonly tenants: readonly string[] | undefined
  readonly users: number
  readonly failOn: FailLevel
  readonly baseline: BaselineFile
}

class AuditError extends EmulatorError {
  override readonly code = 'no_tenant'
}

/** @throws {EmulatorError} for an unknown tenant, or when the emulator has no tenant */
export async function auditTenants(
  emulator: RunningEmulator,
  { baseline, failOn, tenants, users }: AuditRun,
): Promise<AuditOutcome> {
  const slugs = await slugsOf(emulator, tenants)
  const audits: Audit[] = []
  for (const ref of slugs) {
    const known = baseline[ref]
    const body = known === undefined ? { users } : { users, baseline: known }
    audits.push(await emulator.call('POST /projects/:ref/audit', { params: { ref }, body }))
  }
  const crossings: CrossingReport[] = []
  for (const [ref, other] of neighbours(slugs))
    crossings.push(
      await emulator.call('POST /projects/:ref/audit/crossings', {
        params: { ref },
        body: { other, users },
      }),
    )
  return outcomeOf(audits, crossings, failOn)
}

async function slugsOf(
  emulator: RunningEmulator,
  wanted: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (wanted !== undefined) return [...new Set(wanted)]
  const { groups } = await emulator.call('GET /info')
  const slugs = groups.flatMap(({ tenants }) => tenants.map(({ slug }) => slug))
  if (slugs.length > 0) return slugs
  throw new AuditError('The emulator has no tenant to audit.', {
    hint: 'Provision one, or name a project with --tenant.',
  })
}

/** Returns each tenant with the next one, so that every tenant asks once and is asked for once. */
export function neighbours(slugs: readonly string[]): readonly (readonly [string, string])[] {
  if (slugs.length < 2) return []
  return slugs.map((slug, index) => [slug, slugs[(index + 1) % slugs.length] ?? slug])
}

function outcomeOf(
  tenants: readonly Audit[],
  crossings: readonly CrossingReport[],
  failOn: FailLevel,
): AuditOutcome {
  const findings = tenants.flatMap((audit) => audit.findings)
  const open = findings.filter(({ accepted }) => accepted === null)
  const count = (level: AuditFinding['severity']) =>
    open.filter(({ severity }) => severity === level).length
  const crossed = crossings.reduce((sum, { crossing }) => sum + crossing, 0)
  const errors = count('error') + crossed
  const warnings = count('warning')
  const isBad = failOn === 'error' ? errors > 0 : failOn === 'warning' && errors + warnings > 0
  return {
    ok: !isBad,
    errors,
    warnings,
    accepted: findings.length - open.length,
    causes: causesOf(tenants),
    tenants,
    crossings,
  }
}
