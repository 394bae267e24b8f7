// The dialogs of a bucket: create it, change its settings, empty it, delete it.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import {
  type Bucket,
  changeBucket,
  createBucket,
  deleteBucket,
  emptyBucket,
} from '../../api/storage.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/checkbox.tsx'
import { ConfirmTyped } from '../../ui/confirm-typed.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failed } from '../../ui/failed.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { bytesOfMegabytes, fullName, mimeTypesOf, shortName } from './bucket-names.ts'
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
      showToast({ title: `Could not ${action} ${name}`, detail: error.message, tone: 'refused' }),
    onSuccess: () => {
      onClose()
      showToast({ title: `${name} ${action === 'empty' ? 'emptied' : 'deleted'}` })
      if (action === 'delete' && address.bucket === name) address.openBucket(undefined)
    },
  })
  return (
    <ConfirmTyped
      isOpen
      title={action === 'empty' ? `Empty ${name}` : `Delete ${name}`}
      name={name}
      action={action === 'empty' ? 'Empty bucket' : 'Delete bucket'}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Deletes every object of the bucket. Their signed URLs stop working.
    </ConfirmTyped>
  )
}

/** In MB; the platform's default for a new bucket. */
const USUAL_LIMIT = '50'

interface BucketFormProps {
  readonly tenant: string
  /** The bucket to change; `undefined` creates one. */
  readonly bucket: Bucket | undefined
  readonly onDone: (name: string) => void
  readonly onClose: () => void
}

function BucketForm(props: BucketFormProps): ReactElement {
  const { bucket, tenant, onClose } = props
  const title = bucket === undefined ? 'New bucket' : `Bucket ${shortName(tenant, bucket.id)}`
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <BucketFields {...props} />
    </Dialog>
  )
}

function BucketFields({ tenant, bucket, onDone, onClose }: BucketFormProps): ReactElement {
  const client = useQueryClient()
  const [name, setName] = useState(bucket === undefined ? '' : shortName(tenant, bucket.id))
  const [isPublic, setPublic] = useState(bucket?.public ?? false)
  const [limit, setLimit] = useState(() => initialLimit(bucket))
  const [types, setTypes] = useState(bucket?.allowed_mime_types?.join(', ') ?? '')
  const bytes = bytesOfMegabytes(limit)
  const save = useMutation({
    mutationFn: () => {
      const settings = {
        public: isPublic,
        file_size_limit: bytes ?? null,
        allowed_mime_types: mimeTypesOf(types),
      }
      return bucket === undefined
        ? createBucket(tenant, fullName(tenant, name.trim()), settings)
        : changeBucket(tenant, bucket.id, settings)
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['storage', tenant] })
      onDone(name.trim())
    },
  })
  const isReady = name.trim() !== '' && bytes !== undefined
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) save.mutate()
      }}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        isMono
        isDisabled={bucket !== undefined}
        hint={`In storage: ${fullName(tenant, name.trim() === '' ? '…' : name.trim())}`}
      />
      <Switch label="Public: anyone can read it" isChecked={isPublic} onChange={setPublic} />
      <TextField
        label="Largest file, in MB"
        value={limit}
        onChange={setLimit}
        isMono
        placeholder="no limit"
        error={bytes === undefined ? 'Enter a number of megabytes, or leave it empty.' : undefined}
      />
      <TextField
        label="Allowed types"
        value={types}
        onChange={setTypes}
        isMono
        placeholder="any"
        hint="e.g. image/*, application/pdf"
      />
      {save.error === null ? undefined : (
        <Failed title="Could not save the bucket" error={save.error} />
      )}
      <div className="flex justify-end gap-2">
        <Button tone="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button tone="primary" type="submit" disabled={!isReady} isBusy={save.isPending}>
          {bucket === undefined ? 'Create bucket' : 'Save bucket'}
        </Button>
      </div>
    </form>
  )
}

function initialLimit(bucket: Bucket | undefined): string {
  if (bucket === undefined) return USUAL_LIMIT
  const { file_size_limit: limit } = bucket
  return limit === null ? '' : String(Math.round((limit / 1_048_576) * 1_000) / 1_000)
}
