// Shows the response and the facts of a request. Adds the access chain when the platform refused the request or
// returned no rows.

import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import type { AccessChain } from '../../../emulator/contract/explain.ts'
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import type { RequestDetail } from '../../../emulator/contract/recording.ts'
import { useAccessChain } from '../../api/requests.ts'
import { isSaid, isWorthAChain } from '../../parts/chain/chain-model.ts'
import { RequestChain } from '../../parts/chain/request-chain.tsx'
import { HttpStatus } from '../../parts/http-status.tsx'
import { factsOf } from '../../parts/requests/request-facts.ts'
import { NOTHING, splitTarget } from '../../parts/requests/request-words.ts'
import { TroubleshootingLink } from '../../parts/troubleshooting-link.tsx'
import { Breakable } from '../../ui/breakable.tsx'
import { Chip } from '../../ui/chip.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Section } from '../../ui/sheet.tsx'
import { Duration, Timestamp } from '../../ui/timestamp.tsx'
import { RequestRowChanges } from './request-row-changes.tsx'
import { RequestWaterfall } from './request-waterfall.tsx'

export function RequestOverview(props: {
  readonly detail: RequestDetail
  readonly names: ReadonlyMap<string, string>
}): ReactElement {
  const { detail, names } = props
  const { entry } = detail
  const { tenant } = factsOf(entry)
  const hasChain = isWorthAChain(entry)
  const chain = useAccessChain(entry.request_id, hasChain).data
  return (
    <>
      {hasChain ? (
        <Section title={chainTitle(entry)}>
          <RequestChain
            requestId={entry.request_id}
            tenant={tenant === NOTHING ? undefined : tenant}
          />
          <TroubleshootingLink status={entry.status} />
        </Section>
      ) : undefined}
      <Section title="Response">
        <KeyValueList items={answerFacts(entry, chain)} />
      </Section>
      <RequestRowChanges entry={entry} />
      <Section title="Time">
        <RequestWaterfall recording={detail.recording} />
      </Section>
      <Section title="Request">
        <KeyValueList items={requestFacts(entry, names)} />
      </Section>
    </>
  )
}

function chainTitle({ status, fault }: JournalEntry): string {
  if (status >= 400) return 'Why the request was refused'
  return fault === null ? 'Why the result is empty' : 'What the fault did'
}

type Fact = readonly [name: string, value: ReactNode]

function answerFacts(entry: JournalEntry, chain: AccessChain | undefined): readonly Fact[] {
  const unsaid = (text: string | null) =>
    text === null || (chain !== undefined && isSaid(chain, text)) ? undefined : text
  const [code, message] = [unsaid(entry.error_code), unsaid(entry.error_message)]
  return [
    ['Status', <HttpStatus key="status" status={entry.status} />],
    ['Duration', <Duration key="duration" millis={entry.duration_ms} />],
    ...(entry.fault === null
      ? []
      : [['Fault', <FaultLink key="fault" id={entry.fault} />] as const]),
    ...(entry.row_count === null ? [] : [['Rows', entry.row_count] as const]),
    ...(code === undefined ? [] : [['Error', <code key="code">{code}</code>] as const]),
    ...(message === undefined ? [] : [['Message', message] as const]),
  ]
}

function FaultLink({ id }: { readonly id: string }): ReactElement {
  return (
    <Chip tone="fault" isMono>
      <Link to="/faults" search={{ view: 'history', open: id }} className="hover:underline">
        {id}
      </Link>
    </Chip>
  )
}

function requestFacts(entry: JournalEntry, names: ReadonlyMap<string, string>): readonly Fact[] {
  const { service, tenant, identity } = factsOf(entry)
  const { path, query } = splitTarget(entry.target)
  const parameters = [...new URLSearchParams(query)]
  return [
    ['Service', service],
    ['Tenant', tenant === NOTHING ? tenant : <Tenant key="tenant" {...{ entry, tenant }} />],
    ['Identity', names.get(identity) ?? identity],
    ...(entry.role === null ? [] : [['Role', <code key="role">{entry.role}</code>] as const]),
    [
      'Path',
      <code key="path">
        <Breakable text={path} />
      </code>,
    ],
    ...(parameters.length === 0
      ? []
      : [
          [
            'Query',
            <ul key="query" className="font-mono">
              {parameters.map(([name, value], place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: parameters may repeat, and their order is fixed
                <li key={place} className="break-all">
                  <span className="text-ink-dim">{name}=</span>
                  {value}
                </li>
              ))}
            </ul>,
          ] as const,
        ]),
    ['Received', <Timestamp key="at" at={entry.received_at} format="exact" />],
    [
      'ID',
      <MiddleTruncate key="id" text={entry.request_id} tail={12} copyLabel="Copy request ID" />,
    ],
  ]
}

function Tenant(props: { readonly entry: JournalEntry; readonly tenant: string }): ReactElement {
  const { entry, tenant } = props
  if (!entry.schema_is_claimed) return <TenantLink tenant={tenant} />
  return (
    <>
      <TenantLink tenant={tenant} />
      <span className="text-ink-dim"> (claimed by the refused credential, not verified)</span>
    </>
  )
}

function TenantLink({ tenant }: { readonly tenant: string }): ReactElement {
  return (
    <Link to="/t/$tenant/tables" params={{ tenant }} className="text-accent hover:underline">
      {tenant}
    </Link>
  )
}
