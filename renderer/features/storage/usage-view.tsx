// Shows the used storage of the open tenant's buckets and of all tenants. A bar shows the part of a quota that is used.
import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import type { ProjectUsage, StorageUsage } from '../../../emulator/contract/storage.ts'
import { useStorageUsage } from '../../api/storage.ts'
import { shortName } from '../../parts/bucket-names.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { cx } from '../../ui/cx.ts'
import { countOf } from '../../ui/form-values.ts'
import { formatBytes } from '../../ui/format.ts'

export function UsageView({ tenant }: { readonly tenant: string }): ReactElement {
  return (
    <Loaded query={useStorageUsage()} what="the used storage" since="Storage bars">
      {(usage) => <Usage tenant={tenant} usage={usage} />}
    </Loaded>
  )
}

/** Maximum number of tenants that the view shows. The largest ones come first. */
const SHOWN = 50

function Usage(props: { readonly tenant: string; readonly usage: StorageUsage }): ReactElement {
  const { tenant, usage } = props
  const own = usage.projects.find(({ slug }) => slug === tenant)
  const storing = usage.projects.filter(({ buckets }) => buckets.length > 0)
  const shown = storing.slice(0, SHOWN)
  const empty = usage.projects.length - storing.length
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-6 overflow-auto p-6">
      <p className="text-ink-dim">
        Choose a bucket to see its objects. View them as any identity: hidden objects appear dimmed.
      </p>
      {own === undefined ? undefined : <OwnBuckets tenant={tenant} own={own} />}
      <Group title="Storage by tenant">
        {shown.map(({ bytes, buckets, limit_bytes: limit, slug }) => (
          <Used
            key={slug}
            name={slug}
            link={
              <Link
                to="/t/$tenant/storage"
                params={{ tenant: slug }}
                className="font-mono text-accent hover:underline"
              >
                {slug}
              </Link>
            }
            bytes={bytes}
            detail={`${countOf(buckets.length, 'bucket')}, ${quotaText(limit)}`}
            limit={limit}
          />
        ))}
        {storing.length > shown.length && (
          <li className="text-small text-ink-dim">
            {countOf(storing.length - shown.length, 'smaller tenant')} not listed
          </li>
        )}
        {empty > 0 && (
          <li className="text-small text-ink-dim">{countOf(empty, 'project')} without buckets</li>
        )}
      </Group>
    </div>
  )
}

function OwnBuckets(props: { readonly tenant: string; readonly own: ProjectUsage }): ReactElement {
  const { tenant, own } = props
  return (
    <Group title={`Buckets of ${tenant}`}>
      {own.buckets.map(({ bucket, bytes, objects }) => {
        const name = shortName(tenant, bucket)
        return (
          <Used
            key={bucket}
            name={name}
            link={
              <Link
                to="/t/$tenant/storage/$bucket"
                params={{ tenant, bucket: name }}
                className="font-mono text-accent hover:underline"
              >
                {name}
              </Link>
            }
            bytes={bytes}
            detail={`${countOf(objects, 'object')}, ${quotaText(own.limit_bytes)}`}
            limit={own.limit_bytes}
          />
        )
      })}
    </Group>
  )
}

function quotaText(limit: number | null): string {
  return limit === null ? 'no quota' : `quota ${formatBytes(limit)}`
}

function Group(props: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section aria-label={props.title} className="flex max-w-[760px] flex-col gap-3">
      <h2 className="font-strong">{props.title}</h2>
      <ul className="flex flex-col gap-3">{props.children}</ul>
    </section>
  )
}

function Used(props: {
  readonly name: string
  readonly link: ReactNode
  readonly bytes: number
  readonly detail: string
  /** The quota, or `null` without one. */
  readonly limit: number | null
}): ReactElement {
  const { name, link, bytes, detail, limit } = props
  return (
    <li className="flex flex-col gap-1">
      <div className="grid grid-cols-[minmax(0,1fr)_auto_152px] items-baseline gap-x-3">
        {link}
        <span className="tabular-nums">{formatBytes(bytes)}</span>
        <span className="text-small text-ink-dim">{detail}</span>
      </div>
      {limit !== null && (
        <Bar
          label={`Storage of ${name}`}
          bytes={bytes}
          limit={limit}
          text={`${formatBytes(bytes)}, ${detail}`}
        />
      )}
    </li>
  )
}

function Bar(props: {
  readonly label: string
  readonly bytes: number
  readonly limit: number
  readonly text: string
}): ReactElement {
  const { label, bytes, limit, text } = props
  const share = Math.min(1, bytes / limit)
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(bytes, limit)}
      aria-valuetext={text}
      className="h-2 overflow-hidden rounded-full bg-surface-3"
    >
      <div
        style={{ width: `${bytes === 0 ? 0 : Math.max(0.5, share * 100)}%` }}
        className={cx('h-full', share >= 0.9 ? 'bg-clock' : 'bg-accent')}
      />
    </div>
  )
}
