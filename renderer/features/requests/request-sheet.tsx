// Shows one request with its response, its identity, the reason of a refusal, and the form that sends the request
// again.

import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { RequestDetail } from '../../../emulator/contract/recording.ts'
import { ApiError } from '../../api/client.ts'
import { useRequestDetail } from '../../api/requests.ts'
import { ClaimsTree } from '../../parts/claims-tree.tsx'
import { HttpStatus } from '../../parts/http-status.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NOTHING, splitTarget } from '../../parts/requests/request-words.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { CopyRequest } from './copy-request.tsx'
import { BundleButton, ReplayButton } from './request-actions.tsx'
import { RequestChanges, RequestSql } from './request-effects.tsx'
import { NotRecorded, RequestExchange } from './request-exchange.tsx'
import { RequestOverview } from './request-overview.tsx'
import type { RequestPart } from './requests-search.ts'
import { ResendForm } from './resend-form.tsx'

export interface RequestSheetProps {
  readonly requestId: string
  /** The names of users, by user id. */
  readonly names: ReadonlyMap<string, string>
  readonly part: RequestPart
  readonly onPart: (part: RequestPart) => void
  readonly onOpen: (requestId: string) => void
  readonly onClose: () => void
}

export function RequestSheet(props: RequestSheetProps): ReactElement {
  const { requestId, part, onPart, onOpen, onClose } = props
  const query = useRequestDetail(requestId)
  const detail = query.data
  return (
    <Sheet
      name="request"
      label="Request"
      width={620}
      isBare
      onClose={onClose}
      title={detail === undefined ? 'Request' : <SheetTitle {...detail.entry} />}
      actions={
        detail === undefined ? undefined : (
          <>
            <CopyRequest detail={detail} />
            <BundleButton requestId={requestId} />
            <ReplayButton requestId={requestId} onAnswered={onOpen} />
          </>
        )
      }
    >
      {detail === undefined && isUnknown(query.error) ? (
        <UnknownRequest />
      ) : (
        <Loaded query={query} what="the request">
          {(loaded) => (
            <Tabs label="Request" value={part} tabs={tabsFor(loaded)} onChange={onPart}>
              <div className="flex flex-col gap-4 p-4">
                <Part {...props} detail={loaded} />
              </div>
            </Tabs>
          )}
        </Loaded>
      )}
    </Sheet>
  )
}

function isUnknown(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404
}

/** The history of rows also names requests that the journal no longer has, and requests of the inspector itself. */
function UnknownRequest(): ReactElement {
  return (
    <EmptyState
      title="Request not in the journal"
      detail="The journal has no requests to the emulator’s own API, such as an undo. It also drops its oldest requests."
    />
  )
}

function Part(props: RequestSheetProps & { readonly detail: RequestDetail }): ReactElement {
  const { detail, part, names, onOpen } = props
  switch (part) {
    case 'overview':
      return <RequestOverview detail={detail} names={names} />
    case 'exchange':
      return <RequestExchange recording={detail.recording} />
    case 'credential':
      return <RequestCredential detail={detail} />
    case 'sql':
      return <RequestSql entry={detail.entry} />
    case 'changes':
      return <RequestChanges detail={detail} />
    case 'resend':
      return <ResendForm detail={detail} onAnswered={onOpen} />
  }
}

function tabsFor({ changes }: RequestDetail): readonly Tab<RequestPart>[] {
  return [
    { value: 'overview', label: 'Overview' },
    { value: 'exchange', label: 'Bodies' },
    { value: 'credential', label: 'Credential' },
    { value: 'sql', label: 'SQL' },
    {
      value: 'changes',
      label: 'Events',
      beside:
        changes.length === 0 ? undefined : <span className="text-small">{changes.length}</span>,
    },
    { value: 'resend', label: 'Resend' },
  ]
}

function SheetTitle(props: {
  readonly method: string
  readonly target: string
  readonly status: number
}): ReactElement {
  const { method, target, status } = props
  return (
    <span className="flex min-w-0 items-center gap-2 font-mono" title={target}>
      <HttpStatus status={status} />
      <span>{method}</span>
      <span className="truncate">{splitTarget(target).path}</span>
    </span>
  )
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  anonKey: 'anon key',
  serviceRoleKey: 'service_role key',
  dataPlaneToken: 'data plane token',
  accessToken: 'session token',
  storageToken: 'storage token',
  realtimeToken: 'realtime token',
  groupApiKey: 'Group API Key',
  managementKey: 'management key',
  sessionToken: 'dashboard session',
  s3Key: 'S3 key',
}

function RequestCredential({ detail }: { readonly detail: RequestDetail }): ReactElement {
  const { entry, recording } = detail
  const kind = entry.credential_kind
  return (
    <>
      <Section title="Identity">
        <KeyValueList
          items={[
            ['Credential', kind === null ? 'none accepted' : (KIND_WORDS[kind] ?? kind)],
            ['Role', <code key="role">{entry.role ?? NOTHING}</code>],
            ['Subject', <code key="subject">{entry.subject ?? NOTHING}</code>],
          ]}
        />
      </Section>
      {recording === null ? (
        <NotRecorded />
      ) : (
        <Section title="Claims">
          {recording.claims === null ? (
            <p className="text-ink-dim">The request had no credential, or one without claims.</p>
          ) : (
            <ClaimsTree claims={recording.claims} />
          )}
        </Section>
      )}
      <Link
        to="/tokens"
        search={{ request: entry.request_id }}
        className="self-start text-accent hover:underline"
      >
        Open in Tokens
      </Link>
    </>
  )
}
