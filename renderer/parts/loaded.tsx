// Renders a query in each of its three states: loading, failed with a retry button, and loaded.
import { PackageX } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Failed } from '../ui/failed.tsx'
import { Loading } from '../ui/loading.tsx'

export interface LoadedProps<Data> {
  readonly query: {
    readonly data: Data | undefined
    readonly error: Error | null
    readonly refetch: () => unknown
  }
  /** The noun in "Loading tables" and "Could not load tables". */
  readonly what: string
  readonly lines?: number
  /**
   * Name of the feature, when an older emulator may lack its route. A response with status 404 shows an explanation.
   */
  readonly since?: string
  readonly children: (data: Data) => ReactNode
}

export function Loaded<Data>(props: LoadedProps<Data>): ReactElement {
  const { query, what, lines, since, children } = props
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (since !== undefined && isNotAvailable(query.error)) return <NotAvailable name={since} />
  return query.error === null ? (
    <Loading label={`Loading ${what}`} {...(lines === undefined ? {} : { lines })} />
  ) : (
    <Failed
      title={`Could not load ${what}`}
      error={query.error}
      retry={() => void query.refetch()}
    />
  )
}

/** Whether the error means that the emulator lacks the route of a list. */
function isNotAvailable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

function NotAvailable({ name }: { readonly name: string }): ReactElement {
  return (
    <EmptyState
      icon={<PackageX />}
      title={`${name} are not available in this version`}
      detail="The page is newer than the emulator that serves it. Update the emulator and reload the page."
    />
  )
}
