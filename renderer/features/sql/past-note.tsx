// Says how the rows of a past instant were found, and what cannot be shown as it was.
import { TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import type { PastState } from '../../../emulator/contract/history.ts'
import { countOf } from '../../ui/form-values.ts'

export function PastNote(props: { readonly past: PastState }): ReactElement {
  const { changes_taken_back: changes, gaps } = props.past
  return (
    <div className="flex shrink-0 flex-col gap-1 border-b bg-clock/10 px-4 py-1">
      <p role="status" className="text-clock">
        {changes === 0
          ? 'No rows changed since. The results show the present rows.'
          : `The results show earlier rows: ${countOf(changes, 'change')} taken back.`}
      </p>
      {gaps.length > 0 && (
        <ul aria-label="Gaps" className="flex max-h-24 flex-col gap-1 overflow-auto">
          {gaps.map((gap) => (
            <li key={gap} className="flex items-start gap-2">
              <TriangleAlert className="mt-[2px] size-4 shrink-0 text-clock" />
              <span className="min-w-0 break-words">{gap}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
