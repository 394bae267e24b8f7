// The dialogs move, rename or copy an object, and delete objects and folders. Deleting a folder deletes everything in
// it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import {
  type Bucket,
  deleteObjects,
  keysBelow,
  moveOrCopy,
  type ObjectPlace,
  renewLists,
} from '../../api/storage.ts'
import { shortName } from '../../parts/bucket-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, FormField, type FormReading, useForm } from '../../ui/form.tsx'
import { countOf } from '../../ui/form-values.ts'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { problemOfKey } from './entries.ts'
import type { UploadPlace } from './use-uploads.ts'

interface MoveDialogProps {
  readonly action: 'move' | 'copy'
  readonly place: ObjectPlace
  readonly buckets: readonly Bucket[]
  /** The dialog calls this with the short name of the target bucket and the new key. */
  readonly onDone: (bucket: string, key: string) => void
  readonly onClose: () => void
}

export function MoveDialog(props: MoveDialogProps): ReactElement {
  const title = props.action === 'move' ? 'Move or rename' : 'Copy'
  return (
    <Dialog title={title} isOpen onClose={props.onClose}>
      <MoveForm {...props} />
    </Dialog>
  )
}

function MoveForm({ action, place, buckets, onDone, onClose }: MoveDialogProps): ReactElement {
  const client = useQueryClient()
  const form = useForm({
    initial: { bucket: place.bucket, key: place.key },
    read: (draft) => readTarget(draft, place),
    send: async (target: Target) => {
      await moveOrCopy(action, place, target)
      await renewLists(client, place.project)
      return target
    },
    onSent: ({ bucket, key }) => {
      const title = action === 'move' ? 'Object moved' : 'Object copied'
      showToast({ title, detail: key, tone: 'allowed' })
      onDone(shortName(place.project, bucket), key)
    },
  })
  return (
    <Form
      form={form}
      action={action === 'move' ? 'Move object' : 'Copy object'}
      failure={`Could not ${action} the object`}
      onCancel={onClose}
    >
      <FormField label="Bucket">
        <Select
          label="Bucket"
          value={form.draft.bucket}
          isMono
          options={buckets.map(({ id }) => ({ value: id, label: shortName(place.project, id) }))}
          onChange={(bucket) => form.edit({ bucket })}
        />
      </FormField>
      <TextField label="Path" {...form.field('key')} isMono />
    </Form>
  )
}

type Target = Pick<ObjectPlace, 'bucket' | 'key'>

function readTarget(target: Target, from: Target): FormReading<Target, Target> {
  const problem = problemOfKey(target.key)
  if (problem !== undefined) return { kind: 'wrong', problems: { key: problem } }
  const isSame = target.bucket === from.bucket && target.key === from.key
  return isSame ? { kind: 'wrong', problems: {} } : { kind: 'ready', order: target }
}

interface DeleteEntriesProps {
  readonly place: UploadPlace
  /** Keys of objects and folders; a folder's key ends in a slash. The dialog is closed while the list is empty. */
  readonly keys: readonly string[]
  readonly onDone: () => void
  readonly onClose: () => void
}

export function DeleteEntries({ place, keys, onDone, onClose }: DeleteEntriesProps): ReactElement {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => removeAll(place, keys),
    onSuccess: async ({ wanted, gone }) => {
      await renewLists(client, place.project)
      showToast(
        gone === wanted
          ? { title: `${countOf(gone, 'object')} deleted`, tone: 'allowed' }
          : {
              title: `${gone} of ${countOf(wanted, 'object')} deleted`,
              detail: 'This identity has no permission to delete the other objects.',
              tone: 'refused',
            },
      )
      onDone()
    },
  })
  const entries = countOf(keys.length, 'entry', 'entries')
  return (
    <Dialog title={`Delete ${entries}?`} isOpen={keys.length > 0} onClose={onClose}>
      <Form
        form={{
          isReady: true,
          isSending: remove.isPending,
          error: remove.error,
          submit: () => remove.mutate(),
        }}
        action={`Delete ${entries}`}
        tone="danger"
        failure="Could not delete the objects"
        onCancel={onClose}
      >
        <ul className="max-h-48 overflow-auto font-mono break-all">
          {keys.map((key) => (
            <li key={key}>{key}</li>
          ))}
        </ul>
      </Form>
    </Dialog>
  )
}

async function removeAll(
  { project, identity, bucket }: UploadPlace,
  keys: readonly string[],
): Promise<{ readonly wanted: number; readonly gone: number }> {
  const nested = await Promise.all(
    keys.map((key) => (key.endsWith('/') ? keysBelow(project, identity, bucket, key) : [key])),
  )
  const wanted = nested.flat()
  if (wanted.length === 0) return { wanted: keys.length, gone: 0 }
  return { wanted: wanted.length, gone: await deleteObjects(project, identity, bucket, wanted) }
}
