// The three states of a query: being loaded, failed with another try, and loaded.
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
  /** What is loaded, as in "Loading tables" and "Could not load tables". */
  readonly what: string
  readonly lines?: number
  /** The name of a list that an older emulator may not have: its 404 is explained. */
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
