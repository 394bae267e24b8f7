// Why a run failed, with the line it failed on. Everything it did before was taken back.
import { TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import type { SqlFailure } from '../../../emulator/contract/sql-console.ts'
import { Chip } from '../../ui/chip.tsx'
import { lineOf } from './line-of.ts'
import type { RunOrder } from './use-runs.ts'

export function FailureView({
  failure,
  order,
}: {
  readonly failure: SqlFailure
  readonly order: RunOrder
}): ReactElement {
  const { code, message, detail, hint, position } = failure
  const place = position === null ? undefined : lineOf(order.piece.text, position - 1)
  return (
    <div role="alert" className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-4">
      <p className="flex items-start gap-2">
        <TriangleAlert aria-hidden="true" className="mt-[2px] size-4 shrink-0 text-refused" />
        <span className="min-w-0 font-strong break-words whitespace-pre-wrap">{message}</span>
        <Chip isMono title={/^[0-9A-Z]{5}$/.test(code) ? 'SQLSTATE' : 'The emulator’s refusal'}>
          {code}
        </Chip>
      </p>
      {place === undefined ? undefined : (
        <pre
          role="group"
          aria-label={`Line ${place.line}, column ${place.column}`}
          className="overflow-auto rounded-2 border border-refused/40 bg-refused/5 px-3 py-2"
        >
          <span className="text-ink-dim select-none">{place.line} │ </span>
          {place.text}
          {'\n'}
          <span className="text-refused">
            {' '.repeat(String(place.line).length + 3 + place.column - 1)}^
          </span>
        </pre>
      )}
      {detail === null ? undefined : <p className="break-words whitespace-pre-wrap">{detail}</p>}
      {hint === null ? undefined : (
        <p className="break-words whitespace-pre-wrap text-ink-dim">Hint: {hint}</p>
      )}
      <p className="text-ink-dim">Nothing of this run was kept.</p>
    </div>
  )
}
