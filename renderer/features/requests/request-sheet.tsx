// Shows one request with its response, its identity, the reason of a refusal, and the form that sends the request
// again.
import type { ReactElement } from 'react'
import type { RequestDetail } from '../../../emulator/contract/recording.ts'
import { useRequestDetail } from '../../api/requests.ts'
import { HttpStatus } from '../../parts/http-status.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { CopyCurl, ReplayButton } from './request-actions.tsx'
import { RequestCredential } from './request-credential.tsx'
import { RequestChanges, RequestSql } from './request-effects.tsx'
import { RequestExchange } from './request-exchange.tsx'
import { splitTarget } from './request-facts.ts'
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
  const { data: detail, error, refetch } = useRequestDetail(requestId)
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
            <CopyCurl detail={detail} />
            <ReplayButton requestId={requestId} onAnswered={onOpen} />
          </>
        )
      }
    >
      {detail === undefined ? (
        error === null ? (
          <Loading label="Loading the request" />
        ) : (
          <Failed title="Could not load the request" error={error} retry={() => void refetch()} />
        )
      ) : (
        <Tabs label="Request" value={part} tabs={tabsFor(detail)} onChange={onPart}>
          <div className="flex flex-col gap-4 p-4">
            <Part {...props} detail={detail} />
          </div>
        </Tabs>
      )}
    </Sheet>
  )
}

function Part({
  detail,
  part,
  names,
  onOpen,
}: RequestSheetProps & { readonly detail: RequestDetail }): ReactElement {
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

function SheetTitle({
  method,
  target,
  status,
}: {
  readonly method: string
  readonly target: string
  readonly status: number
}): ReactElement {
  return (
    <span className="flex min-w-0 items-center gap-2 font-mono" title={target}>
      <HttpStatus status={status} />
      <span>{method}</span>
      <span className="truncate">{splitTarget(target).path}</span>
    </span>
  )
}
