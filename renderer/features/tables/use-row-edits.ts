// Writes rows as the owner or as the chosen identity. Stores the last refusal so that the screen can explain it.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { IdentityReference } from '../../../emulator/contract/identities.ts'
import type { RowEdit } from '../../../emulator/contract/tables.ts'
import type { RowCommand } from '../../../emulator/contract/values.ts'
import { ApiError } from '../../api/client.ts'
import { editRows } from '../../api/tables.ts'
import { type RowKey, rowKeyText } from '../../parts/row-key.ts'
import { showToast } from '../../ui/toast.tsx'

export interface Refusal {
  readonly command: Exclude<RowCommand, 'select'>
  readonly key: RowKey | undefined
  readonly newRow: Readonly<Record<string, string | null>> | undefined
  readonly message: string
}

export interface RowEdits {
  readonly isBusy: boolean
  /** The last edit, if grants or policies refused it. */
  readonly refusal: Refusal | undefined
  readonly forget: () => void
  /**
   * `refused`: grants or policies refused the edit, and `refusal` holds the reason. `failed`: another error, which a
   * toast has shown.
   */
  readonly write: (edits: readonly RowEdit[]) => Promise<'done' | 'refused' | 'failed'>
}

export function useRowEdits(
  tenant: string,
  table: string,
  identity: IdentityReference | null,
): RowEdits {
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const write = async (edits: readonly RowEdit[]) => {
    setBusy(true)
    setRefusal(undefined)
    try {
      const answer = await editRows(tenant, table, { identity, edits })
      for (const root of ['rows', 'explain', 'tables'])
        void queries.invalidateQueries({ queryKey: [root, tenant] })
      if (answer.rows_not_found === 0) return 'done'
      if (identity === null) showToast({ title: 'Row not found', tone: 'refused' })
      setRefusal(refusalOf(edits, unseen(edits.length, answer.rows_not_found)))
      return identity === null ? 'failed' : 'refused'
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (identity !== null && error instanceof ApiError && error.code === 'not_allowed') {
        setRefusal(refusalOf(edits, message))
        return 'refused'
      }
      showToast({ title: 'Could not write the row', detail: message, tone: 'refused' })
      return 'failed'
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, refusal, forget: () => setRefusal(undefined), write }
}

/** Whether a refusal concerns this row. */
export function isAbout(refusal: Refusal | undefined, rowId: string): refusal is Refusal {
  return refusal?.key !== undefined && rowKeyText(refusal.key) === rowId
}

function refusalOf(edits: readonly RowEdit[], message: string): Refusal | undefined {
  const [edit] = edits
  if (edit === undefined) return undefined
  return {
    command: edit.kind,
    key: edit.kind === 'insert' ? undefined : edit.key,
    newRow: edit.kind === 'insert' ? edit.row : edit.kind === 'update' ? edit.changes : undefined,
    message,
  }
}

function unseen(asked: number, missed: number): string {
  return asked === 1
    ? 'No row was changed: this identity cannot see the row.'
    : `${missed} of ${asked} rows were not changed: this identity cannot see them.`
}
