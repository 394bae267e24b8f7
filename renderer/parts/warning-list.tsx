// Lists the warnings about a table's policies. Each warning shows SQL that fixes the problem.
import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import type { PolicyWarning } from '../../emulator/contract/explain.ts'
import { cx } from '../ui/cx.ts'
import { RunnableSql } from './sql-actions.tsx'

const GRAVE: readonly PolicyWarning['code'][] = [
  'rls_off_reachable_by_anon',
  'view_bypasses_policies',
]

/** Whether the warning means that anonymous callers can read protected rows. */
export function isGrave({ code }: PolicyWarning): boolean {
  return GRAVE.includes(code)
}

export function WarningList(props: {
  readonly tenant: string
  readonly warnings: readonly PolicyWarning[]
}): ReactElement {
  const { tenant, warnings } = props
  return (
    <ul aria-label="Warnings" className="grid grid-cols-1 gap-2">
      {warnings.map((warning) => (
        <li
          key={`${warning.code} ${warning.sentence}`}
          className={cx(
            'grid grid-cols-1 gap-2 rounded-2 border px-3 py-2',
            isGrave(warning) ? 'border-refused/40 bg-refused/8' : 'border-clock/40 bg-clock/8',
          )}
        >
          <p className="flex gap-2">
            <WarningMark warning={warning} />
            <span className="min-w-0 flex-1">{warning.sentence}</span>
            <span className="shrink-0 font-mono text-small text-ink-dim">{warning.code}</span>
          </p>
          {warning.suggested_fix !== null && (
            <RunnableSql tenant={tenant} sql={warning.suggested_fix} label="suggested fix" />
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
      size={14}
      className={cx('mt-1 shrink-0', isGrave(warning) ? 'text-refused' : 'text-clock')}
    />
  )
}
