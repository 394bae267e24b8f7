// Why a change did or did not reach a subscriber, and the way to its row explained through that subscriber's eyes.
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import type { ReactElement } from 'react'
import type { IdentityReference } from '../../../emulator/contract/identities.ts'
import type { JudgedChange } from '../../../emulator/contract/realtime.ts'
import { useTableStructure } from '../../api/tables.ts'
import { ChangeVerdictChip } from '../../parts/change-verdict-chip.tsx'
import { VERDICT_WORDS } from '../../parts/change-verdicts.ts'
import { identityText } from '../../parts/identity-text.ts'
import { rowKeyText } from '../../parts/row-key.ts'
import { formatDuration } from '../../ui/format.ts'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Section } from '../../ui/sheet.tsx'
import { textOfValue } from './change-list.ts'
import { channelName, type Lane } from './fan-out-model.ts'

export interface LaneStoryProps {
  readonly tenant: string
  readonly change: JudgedChange
  readonly lane: Lane
  readonly name: string
}

export function LaneStory({ tenant, change, lane, name }: LaneStoryProps): ReactElement {
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
            : [['After', formatDuration(lane.latencyMillis)] as const]),
        ]}
      />
      <ExplainLink tenant={tenant} change={change} lane={lane} />
    </Section>
  )
}

function ExplainLink({
  tenant,
  change,
  lane,
}: Omit<LaneStoryProps, 'name'>): ReactElement | undefined {
  const { data: structure } = useTableStructure(tenant, change.table)
  const identity = identityOfLane(lane)
  if (identity === undefined || change.event === 'DELETE') return undefined
  const keys = (structure?.columns ?? []).filter(({ is_key: isKey }) => isKey)
  const { row } = change
  return (
    <Link
      to="/t/$tenant/policies/$table"
      params={{ tenant, table: change.table }}
      search={{
        view: 'rows',
        as: identityText(identity),
        ...(keys.length === 0 || row === null
          ? {}
          : {
              row: rowKeyText(
                Object.fromEntries(
                  keys.map(({ name }) => [name, row[name] == null ? null : textOfValue(row[name])]),
                ),
              ),
            }),
      }}
      className="inline-flex items-center gap-1 self-start text-accent hover:underline [&_svg]:size-3"
    >
      See the row explained
      <ArrowRight aria-hidden="true" />
    </Link>
  )
}

function identityOfLane({ role, subject }: Lane): IdentityReference | undefined {
  if (role === 'anon' || role === 'service_role') return { kind: role }
  return subject === '' ? undefined : { kind: 'user', user: subject }
}
