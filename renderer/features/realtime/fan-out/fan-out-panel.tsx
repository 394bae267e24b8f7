// Shows the fan-out of one change, and the details of the selected lane below it.
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { IdentityReference } from '../../../../emulator/contract/identities.ts'
import type { JudgedChange } from '../../../../emulator/contract/realtime.ts'
import { useTableStructure } from '../../../api/tables.ts'
import { ChangeEvent, ChangeVerdictChip } from '../../../parts/change-verdict-chip.tsx'
import { VERDICT_WORDS } from '../../../parts/change-verdicts.ts'
import { readableReference } from '../../../parts/identity-choices.ts'
import { identityText } from '../../../parts/identity-text.ts'
import { rowKeyText } from '../../../parts/row-key.ts'
import { textOfValue } from '../../../parts/row-text.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { countOf } from '../../../ui/form-values.ts'
import { formatDuration } from '../../../ui/format.ts'
import { KeyValueList } from '../../../ui/key-value-list.tsx'
import { Section } from '../../../ui/sheet.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { EMPTY } from '../texts.ts'
import { useSubscriberName } from '../use-subscriber-name.ts'
import { FanOutDrawing } from './fan-out-drawing.tsx'
import { channelName, fanOutOf, type Lane } from './fan-out-model.ts'
import { RowValues } from './row-values.tsx'

interface LaneDetailsProps {
  readonly tenant: string
  readonly change: JudgedChange
  readonly lane: Lane
  readonly name: string
  /** The key of the changed row in the format of row-key.ts. */
  readonly rowKey: string | undefined
}

export function FanOutPanel(props: {
  readonly tenant: string
  readonly change: JudgedChange
}): ReactElement {
  const { tenant, change } = props
  const { lanes, rest, subscribers } = fanOutOf(change.verdicts)
  const [chosen, setChosen] = useState<string>()
  const nameOf = useSubscriberName(tenant)
  const key = useKeyOfChange(tenant, change)
  // The panel opens the first lane that was not delivered until the user selects another lane.
  const lane =
    lanes.find(({ id }) => id === chosen) ??
    lanes.find(({ verdict }) => verdict !== 'delivered') ??
    lanes[0]
  return (
    <div className="@container/panel flex min-h-0 flex-1 flex-col overflow-auto">
      <header className="flex h-9 shrink-0 items-center gap-3 border-b px-4 whitespace-nowrap">
        <ChangeEvent event={change.event} />
        <h2 title={change.table} className="min-w-0 truncate font-mono">
          {change.table}
        </h2>
        <span className="shrink-0 text-ink-dim">
          <Timestamp at={change.committed_at} />
        </span>
        <span className="ml-auto flex shrink-0 items-center gap-3 text-ink-dim">
          {countOf(subscribers, 'subscriber')}
          {key !== undefined && change.event !== 'DELETE' && (
            <Link
              from="/t/$tenant/realtime"
              to="."
              search={(search) => ({
                ...search,
                change: change.number,
                sheet: 'row',
                rows: change.table,
                row: key,
              })}
              className="text-accent hover:underline"
            >
              Change this row
            </Link>
          )}
          {change.request_id !== null && (
            <Link
              to="/requests/$requestId"
              params={{ requestId: change.request_id }}
              className="text-accent hover:underline"
            >
              View request
            </Link>
          )}
        </span>
      </header>
      {lanes.length === 0 ? (
        <EmptyState {...EMPTY.subscribers} />
      ) : (
        <FanOutDrawing
          change={change}
          lanes={lanes}
          chosen={lane?.id}
          nameOf={nameOf}
          onChoose={setChosen}
        />
      )}
      {rest.length !== 0 && (
        <p className="flex flex-wrap items-center justify-center gap-2 pb-3 text-ink-dim">
          more:
          {rest.map(({ verdict, count }) => (
            <ChangeVerdictChip key={verdict} verdict={verdict} detail={`× ${count}`} />
          ))}
        </p>
      )}
      <div className="grid gap-4 border-t p-4 @min-[520px]/panel:grid-cols-2">
        {lane !== undefined && (
          <LaneDetails
            tenant={tenant}
            change={change}
            lane={lane}
            name={nameOf(lane)}
            rowKey={key}
          />
        )}
        <RowValues change={change} />
      </div>
    </div>
  )
}

/** Explains why the change did or did not reach a subscriber. The link opens the row as the subscriber sees the row. */
function LaneDetails(props: LaneDetailsProps): ReactElement {
  const { lane, name } = props
  return (
    <Section title={name} beside={<ChangeVerdictChip verdict={lane.verdict} />}>
      <p>{lane.reason ?? VERDICT_WORDS[lane.verdict].meaning}</p>
      <KeyValueList
        isMono
        items={[
          ['Role', lane.role],
          ['Subject', lane.subject === '' ? '–' : lane.subject],
          ['Channels', lane.topics.map(channelName).join(', ')],
          ...(lane.policies.length === 0 ? [] : [['Policies', lane.policies.join(', ')] as const]),
          ...(lane.latencyMillis === null
            ? []
            : [['Delivered after', formatDuration(lane.latencyMillis)] as const]),
        ]}
      />
      <ExplainLink {...props} />
    </Section>
  )
}

function ExplainLink(props: LaneDetailsProps): ReactElement | undefined {
  const { tenant, change, lane, name, rowKey: row } = props
  const identity = identityOfLane(lane)
  if (identity === undefined || change.event === 'DELETE') return undefined
  return (
    <Link
      to="/t/$tenant/policies/$table"
      params={{ tenant, table: change.table }}
      search={{
        view: 'rows',
        as: identityText(readableReference(identity, name)),
        ...(row !== undefined && { row }),
      }}
      className="inline-flex items-center gap-1 self-start text-accent hover:underline [&_svg]:size-3"
    >
      Explain row
      <ArrowRight />
    </Link>
  )
}

/** The key of the changed row in the format of row-key.ts. `undefined` without a primary key. */
function useKeyOfChange(tenant: string, { row, table }: JudgedChange): string | undefined {
  const { data: structure } = useTableStructure(tenant, table)
  const keys = (structure?.columns ?? []).filter(({ is_key: isKey }) => isKey)
  if (keys.length === 0 || row === null) return undefined
  return rowKeyText(
    Object.fromEntries(
      keys.map(({ name }) => [name, row[name] == null ? null : textOfValue(row[name])]),
    ),
  )
}

function identityOfLane({ role, subject }: Lane): IdentityReference | undefined {
  if (role === 'anon' || role === 'service_role') return { kind: role }
  return subject === '' ? undefined : { kind: 'user', user: subject }
}
