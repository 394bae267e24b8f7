// The rows of buckets below the tables of the audit: which identities read and write the files of each bucket.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Audit, AuditBucket, AuditIdentity } from '../../../emulator/contract/audit.ts'
import { shortName } from '../../parts/bucket-names.ts'
import { exposureOf } from '../../parts/exposure.ts'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { formatBytes } from '../../ui/format.ts'
import { actingText } from './acting-text.ts'
import { EXPOSURE_LOOKS } from './exposure-looks.ts'
import { ACCESS, NOTES } from './texts.ts'

export function BucketRows({
  audit,
}: {
  readonly audit: Pick<Audit, 'buckets' | 'identities' | 'tenant'>
}): ReactElement | undefined {
  const { buckets, identities, tenant } = audit
  if (buckets.length === 0) return undefined
  return (
    <tbody>
      <tr>
        <th
          scope="colgroup"
          colSpan={identities.length + 1}
          className="h-7 border-b border-line-strong bg-surface-1 px-3 text-left font-normal text-ink-dim"
        >
          <span className="sticky left-3">bucket · {NOTES.buckets}</span>
        </th>
      </tr>
      {buckets.map((bucket) => {
        const name = shortName(tenant, bucket.name)
        return (
          <tr key={bucket.name} className="group/line">
            <BucketHead tenant={tenant} bucket={bucket} name={name} />
            {identities.map((identity, index) => (
              <AccessCell
                key={identity.label}
                tenant={tenant}
                bucket={name}
                identity={identity}
                access={bucket.access[index] ?? 'none'}
              />
            ))}
          </tr>
        )
      })}
    </tbody>
  )
}

function BucketHead(props: {
  readonly tenant: string
  readonly bucket: AuditBucket
  /** The bucket's name within the tenant. */
  readonly name: string
}): ReactElement {
  const { bucket, name, tenant } = props
  return (
    <th className="sticky left-0 z-10 max-w-64 border-r border-b bg-surface-0 px-3 text-left font-normal group-hover/line:bg-surface-1">
      <span className="flex items-center gap-2">
        <Link
          to="/t/$tenant/storage/$bucket"
          params={{ tenant, bucket: name }}
          className="truncate font-mono hover:underline"
          title={bucket.name}
        >
          {name}
        </Link>
        {bucket.is_public && <Chip icon={null}>public</Chip>}
        <span className="ml-auto shrink-0 pl-4 text-small text-ink-dim tabular-nums">
          {formatBytes(bucket.bytes)}
        </span>
      </span>
    </th>
  )
}

/**
 * Shows a bucket as a table whose rows are all visible or all hidden, because an identity that reads a bucket reads all its
 * files.
 */
const REACH = { none: 'none', read: 'all', write: 'all', administer: 'all' } as const

/** A cell that links to the bucket, opened as this identity. */
function AccessCell(props: {
  readonly tenant: string
  readonly bucket: string
  readonly identity: AuditIdentity
  readonly access: AuditBucket['access'][number]
}): ReactElement {
  const { access, bucket, identity, tenant } = props
  return (
    <td className="border-r border-b p-0">
      <Link
        to="/t/$tenant/storage/$bucket"
        params={{ tenant, bucket }}
        search={{ as: actingText(identity) }}
        aria-label={`${identity.label}, ${bucket}: ${ACCESS[access]}`}
        title={`${identity.label}: ${ACCESS[access]}`}
        className={cx(
          'flex h-7 items-center justify-center px-2 whitespace-nowrap',
          EXPOSURE_LOOKS[exposureOf(identity, REACH[access])],
        )}
      >
        {ACCESS[access]}
      </Link>
    </td>
  )
}
