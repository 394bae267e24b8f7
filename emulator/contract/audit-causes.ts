// Groups the findings of all tenants by their cause, so that the command and the inspector report a policy of the template once.
// Pure.
import type { Audit, AuditFinding } from './audit.ts'

/** Findings that one change removes. */
export interface AuditCause {
  readonly rule: AuditFinding['rule']
  readonly severity: AuditFinding['severity']
  readonly cause: string
  /** The message of the finding that `proof` proves, or of the first finding. */
  readonly message: string
  readonly safer: string | null
  readonly accepted: string | null
  readonly tenants: readonly string[]
  readonly tables: readonly string[]
  readonly identities: readonly string[]
  readonly proof: AuditFinding['proof']
  /** The tenant whose rows the proof shows. */
  readonly proof_tenant: string | null
  readonly no_proof: string | null
}

interface Found {
  readonly tenant: string
  readonly finding: AuditFinding
}

/** Returns open errors first, then warnings, then accepted findings. */
export function causesOf(
  audits: readonly Pick<Audit, 'tenant' | 'findings'>[],
): readonly AuditCause[] {
  const groups = new Map<string, Found[]>()
  for (const { findings, tenant } of audits)
    for (const finding of findings) {
      const { accepted, cause, rule, severity } = finding
      const key = JSON.stringify([rule, severity, cause, accepted])
      groups.set(key, [...(groups.get(key) ?? []), { tenant, finding }])
    }
  return [...groups.values()].flatMap(causeOf).toSorted((one, other) => weight(one) - weight(other))
}

function causeOf(found: readonly Found[]): readonly AuditCause[] {
  const shown = found.find(({ finding }) => finding.proof !== null) ?? found[0]
  if (shown === undefined) return []
  const { finding, tenant } = shown
  const all = (name: (one: Found) => string | null) => [
    ...new Set(found.flatMap((one) => name(one) ?? [])),
  ]
  return [
    {
      rule: finding.rule,
      severity: finding.severity,
      cause: finding.cause,
      message: finding.message,
      safer: finding.safer,
      accepted: finding.accepted,
      tenants: all((one) => one.tenant),
      tables: all((one) => one.finding.table),
      identities: all((one) => one.finding.identity),
      proof: finding.proof,
      proof_tenant: finding.proof === null ? null : tenant,
      no_proof: finding.no_proof,
    },
  ]
}

function weight({ accepted, severity }: AuditCause): number {
  return accepted !== null ? 2 : severity === 'error' ? 0 : 1
}
