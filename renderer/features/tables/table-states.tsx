// What shows in place of rows, and what stands above them.
import type { ReactElement } from 'react'
import { RunnableSql } from '../../parts/sql-actions.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import type { GridRows } from './use-grid-rows.ts'

export function Body({
  grid,
  isFiltered,
  shown,
  children,
}: {
  readonly grid: GridRows
  readonly isFiltered: boolean
  readonly shown: number
  readonly children: ReactElement
}): ReactElement {
  if (grid.error !== null && grid.rows === undefined)
    return <Failed title="The rows could not be read" error={grid.error} retry={grid.reload} />
  if (grid.rows === undefined) return <Loading label="Loading rows" lines={12} />
  if (shown > 0) return children
  if (grid.rows.length > 0)
    return (
      <EmptyState
        title="All rows are hidden"
        detail="This identity sees none of the rows. Show the hidden rows to learn why."
      />
    )
  return (
    <EmptyState
      title={isFiltered ? 'No row matches' : 'No rows yet'}
      detail={isFiltered ? 'Take a filter away.' : 'Insert one, or import a CSV or JSON file.'}
    />
  )
}

export function Notice({
  tenant,
  grid: { notice },
}: {
  readonly tenant: string
  readonly grid: GridRows
}): ReactElement | undefined {
  if (notice === undefined) return undefined
  return (
    <div className="grid gap-2 border-b bg-surface-1 px-4 py-2">
      <p>{notice.sentence}</p>
      {notice.suggested_fix !== null && (
        <RunnableSql tenant={tenant} sql={notice.suggested_fix} label="suggested fix" />
      )}
    </div>
  )
}
