// Makes a bucket, or changes one: who may read it, how large a file may be, and of which types.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { type Bucket, changeBucket, createBucket } from '../../api/storage.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failed } from '../../ui/failed.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { bytesOfMegabytes, fullName, mimeTypesOf, shortName } from './bucket-names.ts'

/** What the platform gives a bucket that is made by hand. */
const USUAL_LIMIT = '50'

export interface BucketFormProps {
  readonly tenant: string
  /** The one to change; a new one without. */
  readonly bucket: Bucket | undefined
  readonly onDone: (name: string) => void
  readonly onClose: () => void
}

export function BucketForm(props: BucketFormProps): ReactElement {
  const { bucket, tenant, onClose } = props
  const title = bucket === undefined ? 'New bucket' : `Bucket ${shortName(tenant, bucket.id)}`
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <Fields {...props} />
    </Dialog>
  )
}

function Fields({ tenant, bucket, onDone, onClose }: BucketFormProps): ReactElement {
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
      <Switch label="Public: anybody reads it" isChecked={isPublic} onChange={setPublic} />
      <TextField
        label="Largest file, in MB"
        value={limit}
        onChange={setLimit}
        isMono
        placeholder="no limit"
        error={bytes === undefined ? 'A number of megabytes is needed, or nothing.' : undefined}
      />
      <TextField
        label="Allowed types"
        value={types}
        onChange={setTypes}
        isMono
        placeholder="any"
        hint="e.g. image/*, application/pdf"
      />
      {save.error === null ? undefined : <Failed title="That was refused" error={save.error} />}
      <div className="flex justify-end gap-2">
        <Button tone="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button tone="primary" type="submit" disabled={!isReady} isBusy={save.isPending}>
          {bucket === undefined ? 'Create bucket' : 'Save'}
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
