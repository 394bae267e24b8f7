// Shows the effects of a request: the SQL statement that ran, with its plan, and the row changes with their realtime deliveries.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import type { JudgedChange } from '../../../emulator/contract/realtime.ts'
import type { RequestDetail } from '../../../emulator/contract/recording.ts'
import { ChangeEvent, VerdictTally } from '../../parts/change-verdict-chip.tsx'
import { slugOfSchema } from '../../parts/requests/request-words.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RequestPlanView } from './request-plan.tsx'
import { noStatementText } from './texts.ts'

export function RequestSql({ entry }: { readonly entry: JournalEntry }): ReactElement {
  if (entry.statement === null)
    return <EmptyState title="No statement recorded" detail={noStatementText(entry)} />
  return <RequestPlanView requestId={entry.request_id} />
}

export function RequestChanges({ detail }: { readonly detail: RequestDetail }): ReactElement {
  if (detail.changes.length === 0)
    return (
      <EmptyState
        title="No realtime events"
        detail="The request changed no row of a table that has realtime subscribers."
      />
    )
  return (
    <ul className="flex flex-col rounded-2 border">
      {detail.changes.map((change) => (
        <Change key={change.number} change={change} />
      ))}
    </ul>
  )
}

function Change({ change }: { readonly change: JudgedChange }): ReactElement {
  return (
    <li className="border-b last:border-b-0">
      <Link
        to="/t/$tenant/realtime"
        params={{ tenant: slugOfSchema(change.schema_name) }}
        search={{ change: change.number }}
        className="flex h-8 items-center gap-3 px-3 hover:bg-surface-2"
      >
        <ChangeEvent event={change.event} />
        <span className="min-w-0 flex-1 truncate font-mono">{change.table}</span>
        <VerdictTally verdicts={change.verdicts} />
      </Link>
    </li>
  )
}
