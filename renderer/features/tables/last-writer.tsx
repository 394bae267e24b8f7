// Shows who wrote each column of the open row last: the identity, the time, and a link to the request.
import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import type { RowHistory } from '../../../emulator/contract/history.ts'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { MOST_CHANGES, useRowChanges } from '../../api/history.ts'
import { actorName, doneBy } from '../../parts/history/history-texts.ts'
import { historyKeyText } from '../../parts/history/key-text.ts'
import { useUserNames } from '../../parts/identity-names.ts'
import type { RowKey } from '../../parts/row-key.ts'
import { Timestamp } from '../../ui/timestamp.tsx'
import { lastWriter } from './last-writers.ts'

/**
 * Returns a function that shows the last writer of a column. It shows nothing before the history has loaded, for tables without a
 * key, and when no history was recorded.
 * @param before considers only changes with a lower sequence; all when undefined
 */
export function useLastWriters(
  tenant: string,
  structure: TableStructure,
  rowKey: RowKey | undefined,
  before: number | undefined,
): (column: string, value: string | null) => ReactNode {
  const key = rowKey && historyKeyText(rowKey, structure)
  const { data: history } = useRowChanges(tenant, structure.name, key)
  const names = useUserNames(tenant)
  return (column, value) =>
    history === undefined || !(history.is_recorded || history.changes.length > 0) ? undefined : (
      <Writer {...{ before, column, history, names, value }} />
    )
}

function Writer(props: {
  readonly history: RowHistory
  readonly names: ReadonlyMap<string, string>
  readonly column: string
  readonly value: string | null
  readonly before: number | undefined
}): ReactElement {
  const { before, column, history, names, value } = props
  const writer = lastWriter(history, column, value, before)
  if (writer.kind === 'structure') return <>Set by a change of the structure</>
  if (writer.kind === 'unknown')
    return (
      <>
        {history.has_more
          ? `Not written by the last ${MOST_CHANGES} changes`
          : 'Written before the history began'}
      </>
    )
  const { at, kind, request_id: request, user_id: user } = writer.change
  return (
    <>
      <span className="min-w-0 truncate" title={user ?? undefined}>
        {doneBy(kind)} {actorName(writer.change, names)}
      </span>
      <Timestamp at={at} isPast />
      {request !== null && (
        <Link
          to="/requests/$requestId"
          params={{ requestId: request }}
          title={request}
          aria-label={`Open request that wrote ${column}`}
          className="text-accent hover:underline"
        >
          Open request
        </Link>
      )}
    </>
  )
}
