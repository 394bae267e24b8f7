// The line below the top bar when the emulator was opened from a bundle. The user then knows that the data is not their own.
import { Link } from '@tanstack/react-router'
import { Package } from 'lucide-react'
import type { ReactElement } from 'react'
import { useOpenedBundle } from '../api/bundles.ts'
import { Timestamp } from '../ui/timestamp.tsx'

export function BundleBanner(): ReactElement | undefined {
  const opened = useOpenedBundle().data?.opened
  if (opened === undefined || opened === null) return undefined
  const { file, made_at, note, request_id: requestId } = opened
  return (
    <div
      role="status"
      className="flex min-h-7 shrink-0 items-center gap-2 border-b border-accent/40 bg-accent/10 px-4"
    >
      <Package className="size-3 shrink-0" />
      <span className="min-w-0 truncate" title={note ?? undefined}>
        Opened from the bundle <span className="font-mono">{file}</span>, made{' '}
        <Timestamp at={made_at} format="exact" />
        {note === null ? '' : `: ${note}`}
      </span>
      {requestId !== null && (
        <Link to="/requests/$requestId" params={{ requestId }} className="shrink-0 underline">
          Show request
        </Link>
      )}
    </div>
  )
}
