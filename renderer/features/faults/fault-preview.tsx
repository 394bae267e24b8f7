// Shows what a fault would apply to while the user fills in the form: operations, and recent requests.
import { Link } from '@tanstack/react-router'
import { Check, TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import type { FaultOrder } from '../../../emulator/contract/faults.ts'
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import { useFaultPreview } from '../../api/faults.ts'
import { useLive } from '../../api/live.ts'
import { cx } from '../../ui/cx.ts'
import type { FormReading } from '../../ui/form.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import type { ArmDraft } from './arm-draft.ts'
import { previewText } from './texts.ts'

const NOTHING = { data: undefined, error: null } as const

/** Returns method and target of a request, or the id of a request that this page has not received. */
function requestText(requests: readonly JournalEntry[], id: string): string {
  const request = requests.find(({ request_id }) => request_id === id)
  return request === undefined ? id : `${request.method} ${request.target}`
}

/** Maximum number of requests that the form names. */
const NAMED = 3

export function FaultPreviewText(props: {
  readonly reading: FormReading<ArmDraft, FaultOrder>
}): ReactElement {
  const { reading } = props
  const isReady = reading.kind === 'ready'
  const preview = useFaultPreview(isReady ? reading.order : undefined)
  // A wrong form keeps no preview of its former fields.
  const { data, error } = isReady ? preview : NOTHING
  const requestIds = data?.request_ids ?? []
  const requests = useLive((snapshot) => snapshot.requests)
  const isMet = requestIds.length > 0
  return (
    <section aria-label="Matches" className="flex flex-col gap-1">
      <p
        role="status"
        className={cx(
          'flex min-h-5 items-start gap-2 [&_svg]:mt-[2px] [&_svg]:size-4 [&_svg]:shrink-0',
          error !== null ? 'text-refused' : isMet ? 'text-ink' : 'text-clock',
        )}
      >
        {error?.message}
        {error === null && data !== undefined && (
          <>
            {isMet ? <Check className="text-allowed" /> : <TriangleAlert />}
            {previewText(data)}
          </>
        )}
      </p>
      {isMet && error === null ? (
        <ul className="flex flex-col gap-1 pl-6">
          {requestIds.slice(0, NAMED).map((requestId) => (
            <li key={requestId}>
              <Link
                to="/requests/$requestId"
                params={{ requestId }}
                className="font-mono text-small text-accent hover:underline"
              >
                <MiddleTruncate text={requestText(requests, requestId)} />
              </Link>
            </li>
          ))}
        </ul>
      ) : undefined}
    </section>
  )
}
