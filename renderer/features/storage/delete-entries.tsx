// Asks before objects go, folders with everything below them; done as the screen's identity.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { deleteObjects, keysBelow, renewLists } from '../../api/storage.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failed } from '../../ui/failed.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { UploadPlace } from './use-uploads.ts'

export interface DeleteEntriesProps {
  readonly place: UploadPlace
  /** Of objects, and of folders with a slash at the end; none closes it. */
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
              detail: 'Storage leaves out silently what this identity may not delete.',
              tone: 'refused',
            },
      )
      onDone()
    },
  })
  return (
    <Dialog
      title={keys.length === 1 ? 'Delete this?' : `Delete ${keys.length} entries?`}
      isOpen={keys.length > 0}
      onClose={onClose}
    >
      <ul className="max-h-48 overflow-auto pb-4 font-mono break-all">
        {keys.map((key) => (
          <li key={key}>{key}</li>
        ))}
      </ul>
      {remove.error === null ? undefined : <Failed title="That was refused" error={remove.error} />}
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
