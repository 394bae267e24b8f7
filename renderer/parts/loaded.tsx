// Renders a query in each of its three states: loading, failed with a retry button, and loaded.
import type { ReactElement, ReactNode } from 'react'
import { Failed } from '../ui/failed.tsx'
import { Loading } from '../ui/loading.tsx'
import { isNotAvailable, NotAvailable } from './not-available.tsx'

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
