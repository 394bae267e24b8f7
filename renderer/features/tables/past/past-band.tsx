// Says which instant the grid shows, which request came next, and what cannot be shown as it was.
import { Link } from '@tanstack/react-router'
import { History, TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import type { PastState } from '../../../../emulator/contract/history.ts'
import { Button } from '../../../ui/button.tsx'
import { countOf } from '../../../ui/form-values.ts'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { middleTruncate } from '../../../ui/truncate.ts'

export interface PastBandProps {
  /** The chosen instant. */
  readonly at: string
  /** `undefined` until the rows have loaded. */
  readonly past: PastState | undefined
  /** Whether the rows are those of an identity, not of the owner. */
  readonly isOfIdentity: boolean
  readonly onNow: () => void
}

export function PastBand({ at, isOfIdentity, onNow, past }: PastBandProps): ReactElement {
  return (
    <div className="flex shrink-0 flex-col gap-1 border-b bg-clock/10 px-4 py-1">
      <div className="flex min-w-0 items-center gap-3">
        <History className="size-4 shrink-0 text-clock" />
        <p role="status" className="min-w-0 flex-1 break-words">
          <Instant at={at} past={past} />{' '}
          <span className="text-ink-dim">
            These rows can’t be edited.
            {isOfIdentity && ' Rows that the policies hide are left out.'}
          </span>
        </p>
        <Button size="small" onClick={onNow}>
          Back to now
        </Button>
      </div>
      {past !== undefined && past.gaps.length > 0 && (
        <ul aria-label="Gaps" className="flex max-h-24 flex-col gap-1 overflow-auto">
          {past.gaps.map((gap) => (
            <li key={gap} className="flex items-start gap-3">
              <TriangleAlert className="mt-[2px] size-4 shrink-0 text-clock" />
              <span className="min-w-0 break-words">{gap}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Instant({ at, past }: Pick<PastBandProps, 'at' | 'past'>): ReactElement {
  if (past === undefined) return <span className="text-clock">As of {at}.</span>
  const { at: time, changes_taken_back: changes, request_id: request } = past
  if (changes === 0)
    return <span className="text-clock">No rows changed since. The rows are the present ones.</span>
  return (
    <>
      <span className="font-strong text-clock">
        As of {time === null ? at : <Timestamp at={time} format="exact" isPast />}
      </span>
      , just before{' '}
      {request === null ? (
        'a change without a request'
      ) : (
        <>
          request{' '}
          <Link
            to="/requests/$requestId"
            params={{ requestId: request }}
            title={request}
            className="font-mono text-accent hover:underline"
          >
            {middleTruncate(request, 16)}
          </Link>
        </>
      )}
      . {countOf(changes, 'later change')} left out.
    </>
  )
}
