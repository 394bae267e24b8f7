// The rows that a request changed, with old and new values, and the button that undoes the changes.
import { Link } from '@tanstack/react-router'
import { Undo2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { RowHistory } from '../../../emulator/contract/history.ts'
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import { ApiError } from '../../api/client.ts'
import { MOST_CHANGES, useRequestChanges } from '../../api/history.ts'
import { ChangedRow } from '../../parts/history/changed-row.tsx'
import { FirstItems } from '../../parts/history/first-items.tsx'
import { NOT_RECORDED } from '../../parts/history/history-texts.ts'
import { useColumnKinds } from '../../parts/history/use-column-kinds.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { slugOfSchema } from '../../parts/requests/request-words.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/sheet.tsx'
import { mayWrite, wrote } from './row-writes.ts'
import { UndoRequestDialog } from './undo-request-dialog.tsx'

/** Shows nothing for a request that could not write, or that is no write and changed no rows. */
export function RequestRowChanges({
  entry,
}: {
  readonly entry: JournalEntry
}): ReactElement | undefined {
  const tenant = mayWrite(entry) ? slugOfSchema(entry.schema_name) : undefined
  const query = useRequestChanges(tenant, entry.request_id)
  const [isUndoing, setUndoing] = useState(false)
  if (tenant === undefined) return undefined
  // The tenant was removed since.
  if (query.error instanceof ApiError && query.error.status === 404) return undefined
  const hasChanges = query.data !== undefined && query.data.changes.length > 0
  if (!(hasChanges || wrote(entry))) return undefined
  return (
    <Section
      title="What it changed"
      beside={
        hasChanges && (
          <>
            <Link
              to="/t/$tenant/sql"
              params={{ tenant }}
              search={{ at: entry.request_id }}
              className="text-small text-accent hover:underline"
            >
              Query earlier rows
            </Link>
            <Button size="small" icon={<Undo2 />} onClick={() => setUndoing(true)}>
              Undo…
            </Button>
          </>
        )
      }
    >
      <Loaded query={query} what="the changes" lines={2}>
        {(history) => <Changes tenant={tenant} history={history} />}
      </Loaded>
      {isUndoing && (
        <UndoRequestDialog
          tenant={tenant}
          requestId={entry.request_id}
          onClose={() => setUndoing(false)}
        />
      )}
    </Section>
  )
}

function Changes(props: { readonly tenant: string; readonly history: RowHistory }): ReactElement {
  const { history, tenant } = props
  const kinds = useColumnKinds(history.changes.length > 0 ? tenant : undefined)
  const { changes, has_more: hasMore, is_recorded: isRecorded } = history
  if (changes.length === 0)
    return <p className="text-ink-dim">{isRecorded ? 'No rows changed.' : NOT_RECORDED}</p>
  return (
    <FirstItems
      label="Changed rows"
      items={changes.toReversed()}
      many="changes"
      rest={
        hasMore ? `Only the last ${MOST_CHANGES} changes of the request are listed.` : undefined
      }
    >
      {({ columns, key, kind, sequence, table }) => (
        <ChangedRow
          key={sequence}
          tenant={tenant}
          kind={kind}
          table={table}
          rowKey={key}
          columns={columns}
          kinds={kinds}
        />
      )}
    </FirstItems>
  )
}
