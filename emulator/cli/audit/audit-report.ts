// Formats an audit for the terminal: the picture of each tenant, its findings, and what crossed to another tenant. Pure.
import type {
  Audit,
  AuditCell,
  AuditFinding,
  AuditProof,
  CrossingReport,
} from '../../contract/audit.ts'
import { printable } from '../mailbox-report.ts'
import { counted } from '../migrate/migrate-report.ts'
import type { AuditOutcome } from './run-audit.ts'

export function auditLines(outcome: AuditOutcome): string {
  const { accepted, errors, tenants, warnings } = outcome
  return [
    ...tenants.map(tenantLines),
    ...outcome.crossings.map(crossingLines),
    `${counted(errors, 'error')}, ${counted(warnings, 'warning')}, ${accepted} accepted.`,
  ].join('\n\n')
}

function tenantLines(audit: Audit): string {
  const { cells, duration_ms: millis, findings, identities, tables, tenant } = audit
  const title = `${tenant}: ${counted(tables.length, 'table')} × ${identities.length} identities, ${counted(cells, 'cell')} in ${millis} ms`
  return [title, ...pictureLines(audit), ...findings.flatMap(findingLines)].join('\n')
}

const MAX_LABEL = 18

/** Returns a line for each table, with a column for each identity. */
function pictureLines({ identities, tables }: Audit): readonly string[] {
  const labels = identities.map(({ label }) => cut(label))
  const rows = tables.map(({ cells, name, total }) => [
    total === null ? name : `${name} (${total})`,
    ...cells.map(cellText),
  ])
  const table = [['', ...labels], ...rows]
  const widths = table[0]?.map((_, column) =>
    Math.max(...table.map((row) => (row[column] ?? '').length)),
  )
  return table.map((row) =>
    `  ${row.map((text, column) => printable(text).padEnd(widths?.[column] ?? 0)).join('  ')}`.trimEnd(),
  )
}

function cut(label: string): string {
  return label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label
}

function cellText({ rows, seen }: AuditCell): string {
  return seen === 'some' ? String(rows) : seen
}

function findingLines(finding: AuditFinding): readonly string[] {
  const { accepted, message, no_proof: none, proof, rule, safer, severity } = finding
  if (accepted !== null) return [`  accepted  ${rule}  ${finding.object}: ${printable(accepted)}`]
  return [
    `  ${severity}  ${rule}  ${printable(message)}`,
    ...(proof === null
      ? []
      : [
          `    proof: ${printable(proofText(proof))}`,
          ...(severity === 'error' ? [`    ${printable(proof.curl)}`] : []),
        ]),
    ...(none === null ? [] : [`    ${printable(none)}`]),
    ...(safer === null ? [] : [`    safer: ${printable(safer)}`]),
  ]
}

function proofText({ identity, row, status }: AuditProof): string {
  return row === null
    ? `the request of ${identity} is answered with ${status}`
    : `${identity} reads ${JSON.stringify(row)}`
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
