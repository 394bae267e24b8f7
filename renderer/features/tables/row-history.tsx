// The recorded changes of the open row, newest first: when, by whom, in which request, and old and new values.
import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import type { ReactElement } from 'react'
import type { RowHistory, RowHistoryEntry } from '../../../emulator/contract/history.ts'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { MOST_CHANGES, useRowChanges } from '../../api/history.ts'
import { ChangeEvent } from '../../parts/change-verdict-chip.tsx'
import { CellChanges } from '../../parts/history/cell-changes.tsx'
import { FirstItems } from '../../parts/history/first-items.tsx'
import { actorName, doneBy, NOT_RECORDED } from '../../parts/history/history-texts.ts'
import { historyKeyText } from '../../parts/history/key-text.ts'
import { type ColumnKinds, kindsOf } from '../../parts/history/use-column-kinds.ts'
import { useUserNames } from '../../parts/identity-names.ts'
import { Loaded } from '../../parts/loaded.tsx'
import type { RowKey } from '../../parts/row-key.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'

export interface RowLifeProps {
  readonly tenant: string
  readonly structure: TableStructure
  readonly rowKey: RowKey
}

export function RowLife({ tenant, structure, rowKey }: RowLifeProps): ReactElement {
  const key = historyKeyText(rowKey, structure)
  if (key === undefined)
    return (
      <EmptyState
        icon={<History />}
        title="No history of single rows"
        detail="The table has no primary key, which identifies a row over time."
      />
    )
  return <KeyedRowLife tenant={tenant} structure={structure} historyKey={key} />
}

function KeyedRowLife(
  props: Omit<RowLifeProps, 'rowKey'> & { readonly historyKey: string },
): ReactElement {
  const { historyKey, structure, tenant } = props
  const query = useRowChanges(tenant, structure.name, historyKey)
  const names = useUserNames(tenant)
  const kinds = kindsOf(structure)
  return (
    <Loaded query={query} what="the history">
      {(history) => <Changes history={history} names={names} kinds={kinds} />}
    </Loaded>
  )
}

interface Known {
  readonly names: ReadonlyMap<string, string>
  readonly kinds: ColumnKinds
}

function Changes(props: Known & { readonly history: RowHistory }): ReactElement {
  const { history, ...known } = props
  const { changes, is_recorded: isRecorded } = history
  if (changes.length === 0)
    return (
      <EmptyState
        icon={<History />}
        title={isRecorded ? 'No recorded changes' : 'History is off'}
        detail={
          isRecorded
            ? 'Changes of the row appear here, with the request and the identity that made them.'
            : NOT_RECORDED
        }
      />
    )
  return (
    <div className="flex flex-col gap-2 p-4">
      {!isRecorded && <p className="text-ink-dim">{NOT_RECORDED}</p>}
      <FirstItems label="Changes" items={changes} many="changes" rest={restOf(history)}>
        {(change) => <Change key={change.sequence} change={change} {...known} />}
      </FirstItems>
    </div>
  )
}

/** Says why the list does not begin with the row's creation. */
function restOf({ changes, has_more: hasMore }: RowHistory): string | undefined {
  if (hasMore) return `Only the last ${MOST_CHANGES} changes are listed.`
  return changes.at(-1)?.kind === 'INSERT' ? undefined : 'Earlier changes were not recorded.'
}

function Change({
  change,
  kinds,
  names,
}: Known & { readonly change: RowHistoryEntry }): ReactElement {
  const { at, columns, key, kind, request_id: request, user_id: user } = change
  return (
    <li className="flex min-w-0 flex-col gap-1 border-b px-3 py-2 last:border-b-0">
      <div className="flex min-w-0 items-center gap-3">
        <ChangeEvent event={kind} />
        <span className="min-w-0 truncate" title={user ?? undefined}>
          <span className="text-ink-dim">{doneBy(kind)}</span> {actorName(change, names)}
        </span>
        <span className="ml-auto flex shrink-0 items-center gap-3 text-small text-ink-dim">
          <Timestamp at={at} isPast />
          {request !== null && (
            <Link
              to="/requests/$requestId"
              params={{ requestId: request }}
              title={request}
              className="text-accent hover:underline"
            >
              Open request
            </Link>
          )}
        </span>
      </div>
      <CellChanges kind={kind} rowKey={key} columns={columns} kinds={kinds} />
    </li>
  )
}
