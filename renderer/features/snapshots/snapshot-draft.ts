// Converts the form's draft of a snapshot to the order that the form sends. Pure.
import type { Snapshot, SnapshotOrder } from '../../../emulator/contract/snapshots.ts'
import type { FormReading } from '../../ui/form.tsx'
import { NAME_PROBLEM } from './texts.ts'

export interface SnapshotDraft {
  readonly name: string
  readonly note: string
  /** Whether the new snapshot replaces an existing snapshot with the same name. */
  readonly isReplacing: boolean
}

export function readDraft(
  snapshots: readonly Snapshot[],
  draft: SnapshotDraft,
): FormReading<SnapshotDraft, SnapshotOrder> {
  const { name, isReplacing } = draft
  const note = draft.note.trim()
  const isTaken = snapshots.some((snapshot) => snapshot.name === name)
  if (name !== '' && !/^[A-Za-z0-9._-]{1,64}$/.test(name))
    return { kind: 'wrong', problems: { name: NAME_PROBLEM } }
  if (name === '' || (isTaken && !isReplacing)) return { kind: 'wrong', problems: {} }
  return {
    kind: 'ready',
    order: {
      name,
      ...(note === '' ? {} : { note }),
      ...(isTaken ? { replace: true } : {}),
    },
  }
}

/** Returns an unused name, for example `snapshot-3` when there are two snapshots. */
export function nextName(snapshots: readonly Snapshot[]): string {
  const taken = new Set(snapshots.map(({ name }) => name))
  let number = snapshots.length + 1
  while (taken.has(`snapshot-${number}`)) number += 1
  return `snapshot-${number}`
}
