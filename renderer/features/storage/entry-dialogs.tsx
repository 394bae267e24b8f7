// Dialogs about objects and folders: move, rename or copy an object; delete entries, folders with everything below them.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import {
  type Bucket,
  deleteObjects,
  keysBelow,
  moveOrCopy,
  type ObjectPlace,
  renewLists,
} from '../../api/storage.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { shortName } from './bucket-names.ts'
import { problemOfKey } from './entries.ts'
import type { UploadPlace } from './use-uploads.ts'

interface MoveDialogProps {
  readonly action: 'move' | 'copy'
  readonly place: ObjectPlace
  readonly buckets: readonly Bucket[]
  /** With the new bucket's short name. */
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
  const [bucket, setBucket] = useState(place.bucket)
  const [key, setKey] = useState(place.key)
  const problem = problemOfKey(key)
  const isSame = bucket === place.bucket && key === place.key
  const move = useMutation({
    mutationFn: () => moveOrCopy(action, place, { bucket, key }),
    onSuccess: async () => {
      await renewLists(client, place.project)
      showToast({
        title: action === 'move' ? 'Object moved' : 'Object copied',
        detail: key,
        tone: 'allowed',
      })
      onDone(shortName(place.project, bucket), key)
    },
  })
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (problem === undefined && !isSame) move.mutate()
      }}
    >
      <div className="flex flex-col gap-1">
        <span className="text-small text-ink-dim">Bucket</span>
        <Select
          label="Bucket"
          value={bucket}
          isMono
          options={buckets.map(({ id }) => ({ value: id, label: shortName(place.project, id) }))}
          onChange={setBucket}
        />
      </div>
      <TextField label="Path" value={key} onChange={setKey} isMono error={problem} />
      {move.error === null ? undefined : (
        <Failed title={`Could not ${action} the object`} error={move.error} />
      )}
      <div className="flex justify-end gap-2">
        <Button tone="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button
          tone="primary"
          type="submit"
          disabled={problem !== undefined || isSame}
          isBusy={move.isPending}
        >
          {action === 'move' ? 'Move object' : 'Copy object'}
        </Button>
      </div>
    </form>
  )
}

interface DeleteEntriesProps {
  readonly place: UploadPlace
  /** Keys of objects, and of folders with a slash at the end; the dialog is closed while there are none. */
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
          ? { title: `${gone} deleted`, tone: 'allowed' }
          : {
              title: `${gone} of ${wanted} deleted`,
              detail: 'This identity may not delete the others.',
              tone: 'refused',
            },
      )
      onDone()
    },
  })
  return (
    <Dialog
      title={keys.length === 1 ? 'Delete this entry?' : `Delete ${keys.length} entries?`}
      isOpen={keys.length > 0}
      onClose={onClose}
    >
      <ul className="max-h-48 overflow-auto pb-4 font-mono break-all">
        {keys.map((key) => (
          <li key={key}>{key}</li>
        ))}
      </ul>
      {remove.error === null ? undefined : (
        <Failed title="Could not delete the objects" error={remove.error} />
      )}
      <div className="flex justify-end gap-2">
        <Button tone="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button tone="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          Delete
        </Button>
      </div>
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
