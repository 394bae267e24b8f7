// The list of the project's buckets with a public or private mark, and the actions of each bucket.
import { Link } from '@tanstack/react-router'
import { Archive, EllipsisVertical, Globe, Lock, Plus } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Bucket } from '../../api/storage.ts'
import { shortName } from '../../parts/bucket-names.ts'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Menu } from '../../ui/menu.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import type { StorageAddress } from './use-storage-address.ts'

export type BucketAction = 'settings' | 'empty' | 'delete'

export interface BucketRailProps {
  readonly address: StorageAddress
  readonly buckets: readonly Bucket[]
  readonly onNew: () => void
  readonly onAction: (action: BucketAction, bucket: Bucket) => void
}

export function BucketRail({ address, buckets, onNew, onAction }: BucketRailProps): ReactElement {
  return (
    <nav
      aria-label="Buckets"
      className="flex w-60 shrink-0 flex-col border-r bg-surface-1 max-md:w-44"
    >
      <div className="flex h-11 shrink-0 items-center border-b pr-2 pl-4">
        <span className="font-strong">Buckets</span>
        <span className="pl-2 text-ink-dim">{buckets.length}</span>
        <span className="ml-auto">
          <IconButton label="New bucket" icon={<Plus />} onClick={onNew} />
        </span>
      </div>
      <ul className="grid min-h-0 flex-1 auto-rows-min gap-px overflow-auto p-2">
        {buckets.map((bucket) => (
          <Item key={bucket.id} address={address} bucket={bucket} onAction={onAction} />
        ))}
        {buckets.length === 0 && (
          <li className="flex flex-col items-center gap-2 px-2 py-6 text-center text-ink-dim">
            <Archive className="size-6" />
            No buckets yet
          </li>
        )}
      </ul>
    </nav>
  )
}

function Item(props: {
  readonly address: StorageAddress
  readonly bucket: Bucket
  readonly onAction: BucketRailProps['onAction']
}): ReactElement {
  const { address, bucket, onAction } = props
  const { tenant, bucket: chosen, kept } = address
  const name = shortName(tenant, bucket.id)
  const Icon = bucket.public ? Globe : Lock
  return (
    <li
      className={cx(
        'group flex h-7 items-center rounded-1 pr-1',
        name === chosen
          ? 'bg-surface-3 text-ink'
          : 'text-ink-dim hover:bg-surface-2 hover:text-ink',
      )}
    >
      <Link
        to="/t/$tenant/storage/$bucket"
        params={{ tenant, bucket: name }}
        search={kept}
        aria-current={name === chosen ? 'page' : undefined}
        className="flex h-full min-w-0 flex-1 items-center gap-2 rounded-1 px-2"
      >
        <Tooltip
          side="right"
          text={bucket.public ? 'Public: anyone can read it' : 'Private: reading needs a token'}
        >
          <Icon
            aria-label={bucket.public ? 'public' : 'private'}
            className={cx('size-[14px] shrink-0', bucket.public && 'text-accent')}
          />
        </Tooltip>
        <span className="truncate font-mono">{name}</span>
      </Link>
      <Menu
        trigger={
          <IconButton size="small" label={`Actions of ${name}`} icon={<EllipsisVertical />} />
        }
        items={[
          { label: 'Settings…', onSelect: () => onAction('settings', bucket) },
          'line',
          { label: 'Empty…', tone: 'danger', onSelect: () => onAction('empty', bucket) },
          { label: 'Delete…', tone: 'danger', onSelect: () => onAction('delete', bucket) },
        ]}
      />
    </li>
  )
}
