// The numbers of open errors and warnings of the audit. Several findings of a rule about one object count once.
import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import type { AuditRule } from '../../emulator/contract/audit-rules.ts'
import { Chip } from '../ui/chip.tsx'

interface Finding {
  readonly rule: AuditRule
  readonly severity: 'error' | 'warning'
  /** The object or cause of the finding. A single change of it removes all findings of the rule about it. */
  readonly object: string
}

export function FindingCounts(props: { readonly findings: readonly Finding[] }): ReactElement {
  const findings = [
    ...new Map(props.findings.map((one) => [`${one.rule} ${one.object}`, one])).values(),
  ]
  const errors = findings.filter(({ severity }) => severity === 'error').length
  return (
    <span className="flex gap-1">
      {errors > 0 && (
        <Chip tone="refused" icon={<CircleAlert />} title="errors">
          {errors}
        </Chip>
      )}
      {findings.length > errors && (
        <Chip tone="clock" icon={<TriangleAlert />} title="warnings">
          {findings.length - errors}
        </Chip>
      )}
    </span>
  )
}
