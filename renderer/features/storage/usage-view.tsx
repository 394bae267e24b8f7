// Shows the used storage as bars: the buckets of the open tenant, and all tenants, against the quota.
import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import type { ProjectUsage, StorageUsage } from '../../../emulator/contract/storage.ts'
import { useStorageUsage } from '../../api/storage.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { cx } from '../../ui/cx.ts'
import { countOf } from '../../ui/form-values.ts'
import { formatBytes } from '../../ui/format.ts'
import { shortName } from './bucket-names.ts'

export function UsageView({ tenant }: { readonly tenant: string }): ReactElement {
  return (
    <Loaded query={useStorageUsage()} what="the used storage" since="Storage bars">
      {(usage) => <Usage tenant={tenant} usage={usage} />}
    </Loaded>
  )
}

/** The number of tenants that the view shows, the largest first. */
const SHOWN = 50

function Usage(props: { readonly tenant: string; readonly usage: StorageUsage }): ReactElement {
  const { tenant, usage } = props
  const own = usage.projects.find(({ slug }) => slug === tenant)
  const largest = Math.max(1, ...usage.projects.map(({ bytes }) => bytes))
  const shown = usage.projects.slice(0, SHOWN)
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-6 overflow-auto p-6">
      <p className="text-ink-dim">
        Choose a bucket to see its objects. View them as any identity: hidden objects appear dimmed.
      </p>
      {own === undefined ? undefined : <OwnBuckets tenant={tenant} own={own} />}
      <Group title="Storage by tenant">
        {shown.map(({ bytes, buckets, limit_bytes: limit, slug }) => (
          <Bar
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
            longest={largest}
          />
        ))}
        {usage.projects.length > shown.length && (
          <li className="text-small text-ink-dim">
            {countOf(usage.projects.length - shown.length, 'smaller tenant')} not listed
          </li>
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
          <Bar
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
            longest={Math.max(1, own.bytes)}
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

function Bar(props: {
  readonly name: string
  readonly link: ReactNode
  readonly bytes: number
  readonly detail: string
  /** The quota, or `null` without one. */
  readonly limit: number | null
  /** Bytes of a full bar without a quota. */
  readonly longest: number
}): ReactElement {
  const { name, link, bytes, detail, limit, longest } = props
  const whole = limit ?? longest
  const share = Math.min(1, bytes / whole)
  return (
    <li className="flex flex-col gap-1">
      <div className="flex flex-wrap items-baseline gap-x-3">
        {link}
        <span className="ml-auto tabular-nums">{formatBytes(bytes)}</span>
        <span className="text-small text-ink-dim">{detail}</span>
      </div>
      <div
        role="meter"
        aria-label={`Storage of ${name}`}
        aria-valuemin={0}
        aria-valuemax={whole}
        aria-valuenow={Math.min(bytes, whole)}
        aria-valuetext={`${formatBytes(bytes)}, ${detail}`}
        className="h-2 overflow-hidden rounded-full bg-surface-3"
      >
        <div
          style={{ width: `${bytes === 0 ? 0 : Math.max(0.5, share * 100)}%` }}
          className={cx('h-full', limit !== null && share >= 0.9 ? 'bg-clock' : 'bg-accent')}
        />
      </div>
    </li>
  )
}
