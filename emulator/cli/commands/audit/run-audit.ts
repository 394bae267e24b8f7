// Runs `tenantry audit`: audits tenants of a running emulator one after the other, then tests access from one tenant to another.
import { readFileSync, writeFileSync } from 'node:fs'
import {
  type Audit,
  AuditBaseline,
  type AuditFinding,
  type CrossingReport,
} from '../../../contract/audit.ts'
import { causesOf } from '../../../contract/audit-causes.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { isJsonObject, parseJson } from '../../../core/json.ts'
import { writingTo } from '../../../core/named-files.ts'
import type { RunningEmulator } from '../../../platform/http-client/running-emulator.ts'
import { type LiveLine, NO_LINE, showing } from '../../live-line.ts'
import { emulatorOf, printAnswer, type RunningOptions } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import { type AuditOutcome, auditLines } from './audit-report.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface AuditOptions extends RunningOptions {
  readonly tenant: readonly string[] | undefined
  readonly users: number
  readonly failOn: FailLevel
  readonly baseline: string | undefined
  readonly writeBaseline: string | undefined
  readonly contract: string | undefined
  readonly acceptContract: string | undefined
}

/** The lowest level of open findings that ends the command with exit code 1. */
export type FailLevel = 'error' | 'warning' | 'never'

/** The file of `--baseline`: what each identity sees, by tenant and table. */
type BaselineFile = Readonly<Record<string, AuditBaseline>>

/** Prints the audit, and sets the exit code. @throws {EmulatorError} */
export async function runAudit(options: AuditOptions): Promise<void> {
  const baseline = options.baseline === undefined ? {} : readBaseline(options.baseline)
  const { failOn, tenant: tenants, users } = options
  const run = { tenants, users, failOn, baseline }
  const outcome = await showing(
    'Auditing',
    (line) => auditTenants(emulatorOf(options), run, line),
    { afterInterrupt: 'An audit changes nothing.' },
  )
  if (options.writeBaseline !== undefined) writeBaseline(options.writeBaseline, outcome.tenants)
  printAnswer(options, outcome, auditLines(outcome))
  if (!outcome.ok) terminal().exitCode = 1
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
  line: LiveLine = NO_LINE,
): Promise<AuditOutcome> {
  const slugs = await slugsOf(emulator, tenants)
  const pairs = neighbours(slugs)
  const total = slugs.length + pairs.length
  const audits: Audit[] = []
  for (const ref of slugs) {
    line.show({ what: `Auditing ${ref}`, done: audits.length, total })
    const known = baseline[ref]
    const body = known === undefined ? { users } : { users, baseline: known }
    audits.push(await emulator.call('POST /projects/:ref/audit', { params: { ref }, body }))
  }
  const crossings: CrossingReport[] = []
  for (const [ref, other] of pairs) {
    const done = audits.length + crossings.length
    line.show({ what: `Trying access from ${ref} to ${other}`, done, total })
    crossings.push(
      await emulator.call('POST /projects/:ref/audit/crossings', {
        params: { ref },
        body: { other, users },
      }),
    )
  }
  return outcomeOf(audits, crossings, failOn)
}

/** Returns the named tenants, or all. @throws {EmulatorError} when the emulator has no tenant */
export async function slugsOf(
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

/** Pairs each tenant with the next one, so that each tenant once sends the requests and once is their target. */
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

class BaselineError extends EmulatorError {
  override readonly code = 'no_baseline'
}

/** @throws {EmulatorError} when the file cannot be read or is not a baseline */
function readBaseline(path: string): BaselineFile {
  const content = parseJson(textOf(path))
  if (!isJsonObject(content)) throw notBaseline(path, 'it is no JSON object')
  return Object.fromEntries(
    Object.entries(content).map(([tenant, tables]) => {
      const parsed = AuditBaseline.safeParse(tables)
      if (!parsed.success) throw notBaseline(path, `${tenant}: ${parsed.error.issues[0]?.message}`)
      return [tenant, parsed.data]
    }),
  )
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw notBaseline(path, 'it cannot be read', cause)
  }
}

function notBaseline(path: string, why: string, cause?: unknown): BaselineError {
  return new BaselineError(`The baseline ${path} is not usable: ${why}.`, {
    hint: 'Write it with "tenantry audit --write-baseline <file>".',
    cause,
  })
}

function writeBaseline(path: string, audits: readonly Audit[]): void {
  const tenants = Object.fromEntries(audits.map((audit) => [audit.tenant, picture(audit)]))
  writingTo(path, () => writeFileSync(path, `${JSON.stringify(tenants, null, 2)}\n`))
}

function picture({ identities, tables }: Audit): AuditBaseline {
  return Object.fromEntries(
    tables.map(({ cells, name }) => [
      name,
      Object.fromEntries(
        identities.map(({ label }, index) => [label, cells[index]?.baseline ?? 'refused']),
      ),
    ]),
  )
}
