// In place of the list: nothing yet, nothing that matches, on its way, or why not.
import { Activity } from 'lucide-react'
import type { ReactElement } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import type { Tail } from './use-tail.ts'

export function NoRequests({
  tail,
  isFiltered,
}: {
  readonly tail: Tail
  readonly isFiltered: boolean
}): ReactElement {
  if (tail.error !== null)
    return <Failed title="The journal could not be read" error={tail.error} retry={tail.retry} />
  if (tail.isLoading) return <Loading label="Loading requests" />
  if (isFiltered)
    return <EmptyState title="No request matches" detail="Take a facet back, or search for less." />
  return (
    <EmptyState
      icon={<Activity aria-hidden="true" />}
      title="No requests yet"
      detail="Point your application at the emulator: every request shows here as it is answered."
    />
  )
}
