// The name of an audit rule, with what the rule finds.
import type { ReactElement } from 'react'
import { type AuditRule, RULE_SENTENCES } from '../../emulator/contract/audit-rules.ts'

export function RuleName({ rule }: { readonly rule: AuditRule }): ReactElement {
  return (
    <span title={RULE_SENTENCES[rule]} className="shrink-0 font-mono text-small text-ink-dim">
      {rule}
    </span>
  )
}
