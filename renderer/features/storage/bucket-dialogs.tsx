// What is asked before a bucket is emptied or deleted, and its form.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { type Bucket, deleteBucket, emptyBucket } from '../../api/storage.ts'
import { ConfirmTyped } from '../../ui/confirm-typed.tsx'
import { showToast } from '../../ui/toast.tsx'
import { BucketForm } from './bucket-form.tsx'
import { shortName } from './bucket-names.ts'
import type { BucketAction } from './bucket-rail.tsx'
import type { StorageAddress } from './use-storage-address.ts'

export interface BucketDialogsProps {
  readonly address: StorageAddress
  readonly open: { readonly action: BucketAction | 'new'; readonly bucket?: Bucket } | undefined
  readonly onClose: () => void
}

export function BucketDialogs({
  address,
  open,
  onClose,
}: BucketDialogsProps): ReactElement | undefined {
  if (open === undefined) return undefined
  const { action, bucket } = open
  if (action === 'new' || (action === 'settings' && bucket !== undefined))
    return (
      <BucketForm
        tenant={address.tenant}
        bucket={action === 'new' ? undefined : bucket}
        onClose={onClose}
        onDone={(name) => {
          onClose()
          if (action === 'new') address.openBucket(name)
        }}
      />
    )
  if (bucket === undefined || action === 'settings') return undefined
  return <Removal address={address} bucket={bucket} action={action} onClose={onClose} />
}

function Removal({
  address,
  bucket,
  action,
  onClose,
}: {
  readonly address: StorageAddress
  readonly bucket: Bucket
  readonly action: 'empty' | 'delete'
  readonly onClose: () => void
}): ReactElement {
  const { tenant } = address
  const client = useQueryClient()
  const name = shortName(tenant, bucket.id)
  const remove = useMutation({
    mutationFn: async () => {
      await emptyBucket(tenant, bucket.id)
      if (action === 'delete') await deleteBucket(tenant, bucket.id)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['storage', tenant] }),
    onError: (error) =>
      showToast({ title: 'That was refused', detail: error.message, tone: 'refused' }),
    onSuccess: () => {
      onClose()
      showToast({ title: `${name} ${action === 'empty' ? 'is empty now' : 'is gone'}` })
      if (action === 'delete' && address.bucket === name) address.openBucket(undefined)
    },
  })
  return (
    <ConfirmTyped
      isOpen
      title={action === 'empty' ? `Empty ${name}` : `Delete ${name}`}
      name={name}
      action={action === 'empty' ? 'Empty' : 'Delete'}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Every object in it goes, and every signed address of them stops working.
    </ConfirmTyped>
  )
}
