// Lists the last refused requests: who was refused, where and why. Each refusal links to its request.
import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Refusals } from '../../../emulator/contract/journal.ts'
import { useKeepRefusedBodies, useRecordingSettings } from '../../api/requests.ts'
import { HttpStatus } from '../../parts/http-status.tsx'
import { identityName, useIdentityNames } from '../../parts/identity-names.ts'
import {
  identityOf,
  NOTHING,
  slugOfSchema,
  splitTarget,
} from '../../parts/requests/request-words.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Timestamp } from '../../ui/timestamp.tsx'

export function LastRefusals({ refusals }: { readonly refusals: Refusals }): ReactElement {
  const tenants = refusals.refusals.map(({ entry }) => slugOfSchema(entry.schema_name))
  const names = useIdentityNames([...new Set(tenants)])
  return (
    <>
      {refusals.refusals.length === 0 ? (
        <p className="flex items-center gap-2 px-4 py-3 text-ink-dim">
          <ShieldCheck className="size-4 shrink-0 text-allowed" />
          No refused requests. A request with status 400 or above appears here with its reason.
        </p>
      ) : (
        <ul aria-label="Last refusals">
          {refusals.refusals.map((refusal) => (
            <Refusal key={refusal.entry.request_id} {...refusal} names={names} />
          ))}
        </ul>
      )}
      <KeepBodies />
    </>
  )
}

type RefusalProps = Refusals['refusals'][number] & { readonly names: ReadonlyMap<string, string> }

function Refusal(props: RefusalProps): ReactElement {
  const { entry, reason } = props
  return (
    <li className="border-b">
      <Link
        to="/requests/$requestId"
        params={{ requestId: entry.request_id }}
        search={{ refused: 'only' }}
        className="flex min-w-0 flex-col gap-1 px-4 py-2 hover:bg-surface-2"
      >
        <span className="flex min-w-0 items-center gap-3">
          <HttpStatus status={entry.status} />
          <span className="min-w-0 flex-1 truncate font-mono" title={entry.target}>
            {entry.method} {splitTarget(entry.target).path}
          </span>
          <span className="shrink-0 text-small text-ink-dim">
            <Timestamp at={entry.received_at} />
          </span>
        </span>
        <span>{reason}</span>
        {entry.error_message !== null && entry.error_message !== reason && (
          <span className="truncate text-small text-ink-dim" title={entry.error_message}>
            {entry.error_message}
          </span>
        )}
        <span className="flex min-w-0 flex-wrap gap-x-3 text-small text-ink-dim">
          {entry.error_code !== null && <code>{entry.error_code}</code>}
          <Tenant entry={entry} />
          <Identity {...props} />
        </span>
      </Link>
    </li>
  )
}

function Tenant({ entry }: Pick<RefusalProps, 'entry'>): ReactElement {
  const tenant = slugOfSchema(entry.schema_name)
  if (tenant === NOTHING) return <span>no tenant</span>
  return (
    <span>
      tenant {tenant}
      {entry.schema_is_claimed && ' (claimed)'}
    </span>
  )
}

function Identity({ entry, claimed_subject: claimed, names }: RefusalProps): ReactElement {
  const identity = identityOf(entry)
  if (identity !== NOTHING) return <span title={identity}>as {identityName(identity, names)}</span>
  if (claimed === null) return <span>no identity accepted</span>
  return <span title={claimed}>as {identityName(claimed, names)} (claimed)</span>
}

function KeepBodies(): ReactElement | null {
  const settings = useRecordingSettings()
  const keep = useKeepRefusedBodies()
  if (settings.data === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-3 px-4 py-2 text-small text-ink-dim">
      <Checkbox
        label="Record bodies of refused requests"
        isChecked={settings.data.refused_bodies}
        isDisabled={keep.isPending}
        onChange={(isOn) => keep.mutate(isOn)}
      />
      {keep.error !== null && (
        <span className="text-refused">Could not change the setting: {keep.error.message}</span>
      )}
    </div>
  )
}

/** Says how many of the recorded requests were refused, and leads to them. */
export function RefusedCount({ refusals }: { readonly refusals: Refusals }): ReactElement | null {
  const { refused, total } = refusals
  if (refused === 0) return null
  return (
    <Link
      to="/requests"
      search={{ refused: 'only' }}
      className="inline-flex h-5 items-center rounded-1 border border-refused/40 bg-refused/10 px-1 text-small whitespace-nowrap text-refused hover:bg-refused/20"
    >
      {formatNumber(refused)} of {formatNumber(total)} requests refused
    </Link>
  )
}
