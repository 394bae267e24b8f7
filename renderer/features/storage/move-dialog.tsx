// Moves, renames or copies an object, within the project's buckets.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { type Bucket, moveOrCopy, type ObjectPlace, renewLists } from '../../api/storage.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { shortName } from './bucket-names.ts'
import { problemOfKey } from './entries.ts'

export interface MoveDialogProps {
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
      showToast({ title: action === 'move' ? 'Moved' : 'Copied', detail: key, tone: 'allowed' })
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
      {move.error === null ? undefined : <Failed title="That was refused" error={move.error} />}
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
          {action === 'move' ? 'Move' : 'Copy'}
        </Button>
      </div>
    </form>
  )
}
