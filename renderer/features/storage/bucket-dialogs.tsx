// Dialogs that create a bucket, change its settings, empty it, or delete it.
import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import {
  type Bucket,
  changeBucket,
  createBucket,
  deleteBucket,
  emptyBucket,
  renewLists,
} from '../../api/storage.ts'
import { fullName, shortName } from '../../parts/bucket-names.ts'
import { Switch } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, type FormReading, useForm } from '../../ui/form.tsx'
import { useAction } from '../../ui/form-action.ts'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { bytesOfMegabytes, mimeTypesOf } from './bucket-form.ts'
import type { BucketAction } from './bucket-rail.tsx'
import type { StorageAddress } from './use-storage-address.ts'

export interface BucketDialogsProps {
  readonly address: StorageAddress
  readonly open: { readonly action: BucketAction | 'new'; readonly bucket?: Bucket } | undefined
  readonly onClose: () => void
}

export function BucketDialogs(props: BucketDialogsProps): ReactElement | undefined {
  const { address, open, onClose } = props
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

function Removal(props: {
  readonly address: StorageAddress
  readonly bucket: Bucket
  readonly action: 'empty' | 'delete'
  readonly onClose: () => void
}): ReactElement {
  const { address, bucket, action, onClose } = props
  const { tenant } = address
  const name = shortName(tenant, bucket.id)
  const isDeletion = action === 'delete'
  const remove = useAction({
    work: async () => {
      await emptyBucket(tenant, bucket.id)
      if (isDeletion) await deleteBucket(tenant, bucket.id)
    },
    failure: `Could not ${action} ${name}`,
    stale: [['storage', tenant]],
    done: () => ({ title: `${name} ${isDeletion ? 'deleted' : 'emptied'}` }),
    onDone: () => {
      onClose()
      if (isDeletion && address.bucket === name) address.openBucket(undefined)
    },
  })
  return (
    <ConfirmDialog
      isOpen
      title={isDeletion ? `Delete ${name}` : `Empty ${name}`}
      typed={name}
      action={isDeletion ? 'Delete bucket' : 'Empty bucket'}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Deletes every object of the bucket. Signed URLs of these objects stop working.
    </ConfirmDialog>
  )
}

/** The platform's default limit for a new bucket, in MB. */
const USUAL_LIMIT = '50'

interface BucketFormProps {
  readonly tenant: string
  /** The bucket to change. The dialog creates a bucket when this is `undefined`. */
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
  const form = useForm({
    initial: draftOf(tenant, bucket),
    read: readBucket,
    send: async ({ name, settings }: BucketOrder) => {
      if (bucket === undefined) await createBucket(tenant, fullName(tenant, name), settings)
      else await changeBucket(tenant, bucket.id, settings)
      // The lists reload first, so that they contain the new bucket when it opens.
      await renewLists(client, tenant)
      return name
    },
    onSent: onDone,
  })
  const { draft, edit, field } = form
  return (
    <Form
      form={form}
      action={bucket === undefined ? 'Create bucket' : 'Save bucket'}
      failure="Could not save the bucket"
      onCancel={onClose}
    >
      <TextField
        label="Name"
        {...field('name')}
        isMono
        isDisabled={bucket !== undefined}
        hint={`In storage: ${fullName(tenant, draft.name.trim() || '…')}`}
      />
      <Switch
        label="Public: anyone can read it"
        isChecked={draft.isPublic}
        onChange={(isPublic) => edit({ isPublic })}
      />
      <TextField label="Largest file in MB" {...field('limit')} isMono placeholder="no limit" />
      <TextField
        label="Allowed types"
        {...field('types')}
        isMono
        placeholder="any"
        hint="Example: image/*, application/pdf"
      />
    </Form>
  )
}

interface BucketDraft {
  readonly name: string
  readonly isPublic: boolean
  readonly limit: string
  readonly types: string
}

interface BucketOrder {
  readonly name: string
  readonly settings: Parameters<typeof createBucket>[2]
}

function draftOf(tenant: string, bucket: Bucket | undefined): BucketDraft {
  if (bucket === undefined) return { name: '', isPublic: false, limit: USUAL_LIMIT, types: '' }
  const { file_size_limit: limit, allowed_mime_types: types } = bucket
  return {
    name: shortName(tenant, bucket.id),
    isPublic: bucket.public,
    limit: limit === null ? '' : String(Math.round((limit / 1_048_576) * 1_000) / 1_000),
    types: types?.join(', ') ?? '',
  }
}

function readBucket(draft: BucketDraft): FormReading<BucketDraft, BucketOrder> {
  const bytes = bytesOfMegabytes(draft.limit)
  if (bytes === undefined)
    return {
      kind: 'wrong',
      problems: { limit: 'Enter a number of megabytes, or leave the field empty.' },
    }
  const name = draft.name.trim()
  if (name === '') return { kind: 'wrong', problems: {} }
  const settings = {
    public: draft.isPublic,
    file_size_limit: bytes,
    allowed_mime_types: mimeTypesOf(draft.types),
  }
  return { kind: 'ready', order: { name, settings } }
}
