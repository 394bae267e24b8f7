// The storage screen shows buckets and objects as any identity sees them, read over the platform's own storage routes.

import { useQueryClient } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import { type ReactElement, useEffect, useState } from 'react'
import { isStorageWrite } from '../../api/data-events.ts'
import { onLiveEvents } from '../../api/live.ts'
import { type Bucket, renewLists, useBuckets, useStorageUsage } from '../../api/storage.ts'
import { fullName, shortName } from '../../parts/bucket-names.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatBytes } from '../../ui/format.ts'
import { Meter } from '../../ui/meter.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { BucketDialogs, type BucketDialogsProps } from './bucket-dialogs.tsx'
import { BucketRail } from './bucket-rail.tsx'
import { FolderView } from './folder-view.tsx'
import { UsageView } from './usage-view.tsx'
import { useStorageAddress } from './use-storage-address.ts'
import { useUploads } from './use-uploads.ts'

export function StoragePage(): ReactElement {
  const address = useStorageAddress()
  const { tenant } = address
  const buckets = useBuckets(tenant)
  const uploads = useUploads()
  const [dialog, setDialog] = useState<BucketDialogsProps['open']>()
  useFreshStorage(tenant)
  const chosen =
    address.bucket === undefined
      ? undefined
      : buckets.data?.find(({ id }) => id === fullName(tenant, address.bucket ?? ''))
  return (
    <>
      <PageHeader
        title="Storage"
        beside={
          chosen === undefined ? undefined : (
            <BucketFacts name={shortName(tenant, chosen.id)} bucket={chosen} />
          )
        }
        actions={<Quota tenant={tenant} />}
      />
      <Loaded query={buckets} what="the buckets">
        {(list) => (
          <div className="flex min-h-0 flex-1">
            <BucketRail
              address={address}
              buckets={list}
              onNew={() => setDialog({ action: 'new' })}
              onAction={(action, bucket) => setDialog({ action, bucket })}
            />
            <div className="flex min-w-0 flex-1 flex-col">
              {chosen === undefined ? (
                <NothingChosen
                  tenant={tenant}
                  wanted={address.bucket}
                  count={list.length}
                  onNew={() => setDialog({ action: 'new' })}
                />
              ) : (
                <FolderView
                  key={`${chosen.id} ${address.folder}`}
                  address={address}
                  bucket={chosen}
                  buckets={list}
                  uploads={uploads}
                />
              )}
            </div>
          </div>
        )}
      </Loaded>
      <BucketDialogs address={address} open={dialog} onClose={() => setDialog(undefined)} />
    </>
  )
}

function BucketFacts(props: { readonly name: string; readonly bucket: Bucket }): ReactElement {
  const { bucket, name } = props
  const { public: isPublic, file_size_limit: limit, allowed_mime_types: types } = bucket
  return (
    <>
      <span className="truncate font-mono text-ink">{name}</span>
      <Chip tone={isPublic ? 'accent' : 'neutral'} icon={null}>
        {isPublic ? 'public' : 'private'}
      </Chip>
      <span className="truncate">
        {limit === null ? 'files of any size' : `files up to ${formatBytes(limit)}`}
        {types === null ? '' : `, ${types.join(', ')}`}
      </span>
    </>
  )
}

function Quota({ tenant }: { readonly tenant: string }): ReactElement | undefined {
  const { data } = useStorageUsage()
  const project = data?.projects.find(({ slug }) => slug === tenant)
  if (project === undefined) return undefined
  return (
    <div className={project.limit_bytes === null ? undefined : 'w-56'}>
      <Meter label="Used" value={project.bytes} limit={project.limit_bytes} format={formatBytes} />
    </div>
  )
}

function NothingChosen(props: {
  readonly tenant: string
  readonly wanted: string | undefined
  readonly count: number
  readonly onNew: () => void
}): ReactElement {
  const { tenant, wanted, count, onNew } = props
  if (wanted !== undefined)
    return (
      <EmptyState
        icon={<Archive />}
        title={`Bucket “${wanted}” not found`}
        action={<Button onClick={onNew}>New bucket</Button>}
      />
    )
  return count === 0 ? (
    <EmptyState
      icon={<Archive />}
      title="No buckets yet"
      detail="Buckets contain files and appear here. Anyone can read a public bucket. Reading a private bucket requires a storage token."
      action={
        <Button tone="primary" onClick={onNew}>
          New bucket
        </Button>
      }
    />
  ) : (
    <UsageView tenant={tenant} />
  )
}

/** Reloads the lists after any request that writes to the project's storage. */
function useFreshStorage(tenant: string): void {
  const client = useQueryClient()
  useEffect(
    () =>
      onLiveEvents((events) => {
        if (events.some((event) => isStorageWrite(event, `proj_${tenant}`)))
          void renewLists(client, tenant)
      }),
    [client, tenant],
  )
}
