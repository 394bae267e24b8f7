// Saves the platform as it is now, under a name.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import type { Snapshot } from '../../../emulator/contract/snapshots.ts'
import { saveSnapshot } from '../../api/snapshots.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failed } from '../../ui/failed.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { nextName, problemOfName } from './snapshot-name.ts'

export interface SaveFormProps {
  readonly snapshots: readonly Snapshot[]
  readonly onSaved: (name: string) => void
  readonly onClose: () => void
}

export function SaveForm(props: SaveFormProps): ReactElement {
  return (
    <Dialog title="Save a snapshot" isOpen onClose={props.onClose}>
      <Fields {...props} />
    </Dialog>
  )
}

function Fields({ snapshots, onSaved, onClose }: SaveFormProps): ReactElement {
  const client = useQueryClient()
  const [name, setName] = useState(() => nextName(snapshots))
  const [note, setNote] = useState('')
  const [isReplacing, setReplacing] = useState(false)
  const isTaken = snapshots.some((snapshot) => snapshot.name === name)
  const problem = problemOfName(name)
  const save = useMutation({
    mutationFn: () =>
      saveSnapshot({
        name,
        ...(note.trim() === '' ? {} : { note: note.trim() }),
        ...(isTaken ? { replace: true } : {}),
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['snapshots'] })
      onSaved(name)
    },
  })
  const isReady = problem === undefined && (!isTaken || isReplacing)
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) save.mutate()
      }}
    >
      <TextField label="Name" value={name} onChange={setName} isMono error={problem} />
      <TextField label="Note" value={note} onChange={setNote} placeholder="What is so about it" />
      {isTaken ? (
        <Checkbox
          label={`Replace the snapshot ${name} that is there`}
          isChecked={isReplacing}
          onChange={setReplacing}
        />
      ) : undefined}
      {save.error === null ? undefined : <Failed title="It was not saved" error={save.error} />}
      <div className="flex justify-end gap-2">
        <Button tone="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button tone="primary" type="submit" disabled={!isReady} isBusy={save.isPending}>
          Save snapshot
        </Button>
      </div>
    </form>
  )
}
