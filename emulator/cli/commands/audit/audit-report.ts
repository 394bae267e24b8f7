// Formats an audit for the terminal: visible rows and findings of each tenant, and rows that another tenant could read. Pure.
import type { Audit, AuditBucket, AuditCell, CrossingReport } from '../../../contract/audit.ts'
import type { AuditCause } from '../../../contract/audit-causes.ts'
import { printable } from '../../../core/printable.ts'
import { counted } from '../../report.ts'
import { tableLines } from '../../text-table.ts'

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
  /** Reports of requests by each tenant's identities for the next tenant's data. After the last tenant comes the first one. */
  readonly crossings: readonly CrossingReport[]
}

export function auditLines(outcome: AuditOutcome): string {
  const { causes, crossings, tenants } = outcome
  return [
    ...tenants.map(tenantLines),
    ...(causes.length === 0 ? [] : [['Findings', ...causes.flatMap(causeLines)].join('\n')]),
    ...crossings.map(crossingLines),
    summary(outcome),
  ].join('\n\n')
}

// Counts causes, because one change removes all findings of a cause.
function summary({ causes, crossings }: AuditOutcome): string {
  const open = causes.filter(({ accepted }) => accepted === null)
  const crossed = crossings.reduce((sum, { crossing }) => sum + crossing, 0)
  const errors = open.filter(({ severity }) => severity === 'error').length
  const all = [
    counted(errors + crossed, 'error'),
    counted(open.length - errors, 'warning'),
    `${causes.length - open.length} accepted`,
  ]
  return `${all.join(', ')}.`
}

function tenantLines(audit: Audit): string {
  const { cells, duration_ms: millis, identities, tables, tenant } = audit
  const title = `${tenant}: ${counted(tables.length, 'table')} × ${identities.length} identities, ${counted(cells, 'cell')} in ${millis} ms`
  return [title, ...pictureLines(audit)].join('\n')
}

const MAX_LABEL = 18

/** Returns a line for each table and bucket, with a column for each identity. */
function pictureLines({ buckets, identities, tables }: Audit): readonly string[] {
  const labels = identities.map(({ label }) => cut(label))
  const rows = tables.map(({ cells, name, total }) => [
    total === null ? name : `${name} (${total})`,
    ...cells.map(cellText),
  ])
  const stored = buckets.map(({ access, is_public: isPublic, name }) => [
    `bucket ${name}${isPublic ? ' (public)' : ''}`,
    ...access.map((one) => ACCESS[one]),
  ])
  const table = [['', ...labels], ...rows, ...stored]
  return tableLines(table.map((row) => row.map(printable))).map((line) => `  ${line}`)
}

const ACCESS: Readonly<Record<AuditBucket['access'][number], string>> = {
  none: 'none',
  read: 'read',
  write: 'read, write',
  administer: 'all',
}

function cut(label: string): string {
  return label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label
}

function cellText({ rows, seen }: AuditCell): string {
  return seen === 'some' ? String(rows) : seen
}

/** Returns the lines of the findings of one cause. */
export function causeLines(cause: AuditCause): readonly string[] {
  const { accepted, message, no_proof: none, rule, safer, severity } = cause
  if (accepted !== null) return [`  accepted  ${rule}  ${printable(`${cause.cause}: ${accepted}`)}`]
  return [
    `  ${severity}  ${rule}  ${printable(message)}`,
    `    ${printable(placesOf(cause))}`,
    ...proofLines(cause),
    ...(none === null ? [] : [`    ${printable(none)}`]),
    ...(safer === null ? [] : [`    safer: ${printable(safer)}`]),
  ]
}

function placesOf({ identities, tables, tenants }: AuditCause): string {
  const named = [
    `tenants: ${tenants.join(', ')}`,
    ...(tables.length < 2 ? [] : [`tables: ${tables.join(', ')}`]),
    ...(identities.length < 2 ? [] : [`identities: ${identities.join(', ')}`]),
  ]
  return named.join('; ')
}

function proofLines({ proof, proof_tenant: tenant, severity }: AuditCause): readonly string[] {
  if (proof === null) return []
  const { command, identity, row, status } = proof
  const seen =
    row === null
      ? `the request of ${identity} is answered with ${status}`
      : `${identity} reads ${JSON.stringify(row)}`
  return [
    `    proof: ${printable(seen)}`,
    ...(severity === 'error'
      ? [
          `    ${printable(command)}`,
          `    The variables are those of "tenantry env --tenant ${tenant}".`,
        ]
      : []),
  ]
}

function crossingLines(report: CrossingReport): string {
  const { cells, crossing, crossings, other, requests, tenant } = report
  return [
    `${tenant} → ${other}: ${crossing} of ${counted(cells, 'cell')} with access, ${counted(requests, 'attempt')}`,
    ...crossings.flatMap(({ curl, identity, rows, table, way }) => [
      `  error  cross-tenant-read  ${identity} of ${tenant} reads ${table} of ${other} by ${way.toUpperCase()} (${counted(rows ?? 0, 'row')}).`,
      ...(curl === null ? [] : [`    ${printable(curl)}`]),
    ]),
  ].join('\n')
}
