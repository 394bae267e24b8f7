// The latest answers of 500 and above, each leading to its request.
import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import type { ReactElement } from 'react'
import type { PlatformOverview } from '../../../emulator/contract/overview.ts'
import { Timestamp } from '../../ui/timestamp.tsx'

export function LastErrors({
  errors,
}: {
  readonly errors: PlatformOverview['last_errors']
}): ReactElement {
  if (errors.length === 0)
    return (
      <p className="flex items-center gap-2 px-4 py-3 text-ink-dim">
        <ShieldCheck aria-hidden="true" className="size-4 text-allowed" />
        No internal errors.
      </p>
    )
  return (
    <ul aria-label="Last errors">
      {errors.map(({ request_id: id, at, message }) => (
        <li key={id} className="border-b last:border-b-0">
          <Link
            to="/requests/$requestId"
            params={{ requestId: id }}
            className="flex min-h-8 items-center gap-3 px-4 py-1 hover:bg-surface-2"
          >
            <span className="min-w-0 flex-1 truncate text-refused" title={message}>
              {message}
            </span>
            <span className="shrink-0 text-ink-dim">
              <Timestamp at={at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
