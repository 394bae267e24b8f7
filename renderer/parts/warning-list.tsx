// Lists the audit's findings about the policies of a table. Each finding shows SQL or advice that removes the risk.
import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import type { PolicyWarning } from '../../emulator/contract/explain.ts'
import { cx } from '../ui/cx.ts'
import { RuleName } from './rule-name.tsx'
import { SaferText } from './safer-text.tsx'
import { RunnableSql } from './sql-actions.tsx'

export function isGrave({ severity }: PolicyWarning): boolean {
  return severity === 'error'
}

export function WarningList(props: {
  readonly tenant: string
  readonly warnings: readonly PolicyWarning[]
}): ReactElement {
  const { tenant, warnings } = props
  return (
    <ul aria-label="Findings" className="grid grid-cols-1 gap-2">
      {warnings.map((warning) => (
        <li
          key={`${warning.rule} ${warning.sentence}`}
          className={cx(
            'grid grid-cols-1 gap-2 rounded-2 border px-3 py-2',
            isGrave(warning) ? 'border-refused/40 bg-refused/8' : 'border-clock/40 bg-clock/8',
          )}
        >
          <p className="flex flex-wrap gap-x-2">
            <WarningMark warning={warning} />
            <span className="min-w-80 flex-1">{warning.sentence}</span>
            <span className="max-md:pl-6">
              <RuleName rule={warning.rule} />
            </span>
          </p>
          {warning.suggested_fix !== null ? (
            <RunnableSql tenant={tenant} sql={warning.suggested_fix} label="suggested fix" />
          ) : (
            warning.safer !== null && <SaferText text={warning.safer} />
          )}
        </li>
      ))}
    </ul>
  )
}

export function WarningMark({ warning }: { readonly warning: PolicyWarning }): ReactElement {
  const Icon = isGrave(warning) ? CircleAlert : TriangleAlert
  return (
    <Icon
      role="img"
      aria-label={warning.severity}
      size={14}
      className={cx('mt-1 shrink-0', isGrave(warning) ? 'text-refused' : 'text-clock')}
    />
  )
}
