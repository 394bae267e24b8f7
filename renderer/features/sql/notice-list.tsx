// What Postgres says beside the results, and what the emulator advises.
import { Info, Lightbulb, TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import type { SqlAnswer } from '../../../emulator/contract/sql-console.ts'

const ICONS: Readonly<Record<string, typeof Info>> = { ADVICE: Lightbulb, WARNING: TriangleAlert }

export function NoticeList({ notices }: { readonly notices: SqlAnswer['notices'] }): ReactElement {
  return (
    <ul aria-label="Notices" className="flex min-h-0 flex-1 flex-col gap-2 overflow-auto p-4">
      {notices.map(({ severity, message }, index) => {
        const Icon = ICONS[severity] ?? Info
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: notices have nothing but their order
          <li key={index} className="flex items-start gap-2">
            <Icon
              aria-hidden="true"
              className={
                severity === 'ADVICE' || severity === 'WARNING'
                  ? 'mt-[2px] size-4 shrink-0 text-clock'
                  : 'mt-[2px] size-4 shrink-0 text-ink-dim'
              }
            />
            <span className="w-16 shrink-0 text-small leading-5 text-ink-dim">
              {severity.toLowerCase()}
            </span>
            <span className="min-w-0 break-words whitespace-pre-wrap">{message}</span>
          </li>
        )
      })}
    </ul>
  )
}
