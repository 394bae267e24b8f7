// Writes rows as the owner or as the chosen identity. Stores the last refusal so that the screen can explain it.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { IdentityReference } from '../../../emulator/contract/identities.ts'
import type { RowEdit, TableStructure } from '../../../emulator/contract/tables.ts'
import type { RowCommand } from '../../../emulator/contract/values.ts'
import { ApiError, type CurrentCells } from '../../api/client.ts'
import { reloadRows } from '../../api/row-reloads.ts'
import { editRows } from '../../api/tables.ts'
import { editableText, kindOfType } from '../cell-kind.ts'
import { type RowKey, rowKeyText } from '../row-key.ts'
import { changedWords, refusalWords, type TypedValue } from './refusal-words.ts'

export interface Refusal {
  readonly command: Exclude<RowCommand, 'select'>
  readonly key: RowKey | undefined
  readonly newRow: Readonly<Record<string, string | null>> | undefined
  readonly message: string
}

export type WriteOutcome =
  | { readonly kind: 'done' }
  /** Grants or policies refused the edit. `RowEdits.refusal` has the details. */
  | { readonly kind: 'denied'; readonly reason: string }
  /** A cell has another value than the user saw. `current` has its present value. Nothing was written. */
  | { readonly kind: 'changed'; readonly reason: string; readonly current: CurrentCells }
  /** Any other failure. `column` is the column whose value is at fault, if the emulator names one. */
  | { readonly kind: 'failed'; readonly reason: string; readonly column: string | undefined }

export interface RowEdits {
  readonly isBusy: boolean
  /** The last edit, if grants or policies refused it. */
  readonly refusal: Refusal | undefined
  readonly write: (edits: readonly RowEdit[]) => Promise<WriteOutcome>
}

export function useRowEdits(
  tenant: string,
  structure: TableStructure,
  identity: IdentityReference | null,
): RowEdits {
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const deny = (edits: readonly RowEdit[], reason: string): WriteOutcome => {
    setRefusal(refusalOf(edits, reason))
    return { kind: 'denied', reason }
  }
  const write = async (edits: readonly RowEdit[]): Promise<WriteOutcome> => {
    setBusy(true)
    setRefusal(undefined)
    try {
      const { answer, events } = await editRows(tenant, structure.name, { identity, edits })
      reloadRows(queries, tenant, events)
      if (answer.rows_not_found === 0) return { kind: 'done' }
      if (identity !== null) return deny(edits, unreached(edits, answer.rows_not_found))
      return { kind: 'failed', reason: absentRow(structure), column: undefined }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const api = error instanceof ApiError ? error : undefined
      if (identity !== null && api?.code === 'not_allowed') return deny(edits, message)
      if (api?.current !== undefined) {
        reloadRows(queries, tenant)
        return changed(structure, edits, { message, current: api.current })
      }
      const column = api?.sql?.column
      const typed = typedValue(structure, edits, column)
      return { kind: 'failed', reason: refusalWords(api?.sql, message, typed), column }
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, refusal, write }
}

/**
 * Returns the value that the user typed for this column, or the only value of the edit. Returns `undefined` for several edits.
 */
function typedValue(
  { columns }: TableStructure,
  edits: readonly RowEdit[],
  column: string | undefined,
): TypedValue | undefined {
  const [edit] = edits
  if (edit === undefined || edits.length > 1 || edit.kind === 'delete') return undefined
  const values = Object.entries(edit.kind === 'insert' ? edit.row : edit.changes)
  const found =
    values.find(([name]) => name === column) ?? (values.length === 1 ? values[0] : undefined)
  if (found === undefined) return undefined
  const [name, value] = found
  const type = columns.find((one) => one.name === name)?.type
  return type === undefined ? undefined : { column: name, type, value }
}

interface Conflict {
  readonly message: string
  readonly current: CurrentCells
}

function changed(
  { columns }: TableStructure,
  edits: readonly RowEdit[],
  { message, current }: Conflict,
): WriteOutcome {
  const [edit] = edits
  if (edit?.kind !== 'update' || edits.length > 1)
    return { kind: 'changed', reason: message, current }
  const entries = Object.entries(current)
  // Another client, or a repeated request, has written the same values.
  if (entries.every(([name, value]) => edit.changes[name] === value)) return { kind: 'done' }
  const [name, now = null] = entries.find(([name, value]) => edit.seen?.[name] !== value) ?? ['']
  const column = columns.find((one) => one.name === name)
  const textOf = (value: string | null) =>
    value === null
      ? null
      : editableText(kindOfType(column?.type ?? '', column?.choices ?? null), value)
  const reason = changedWords(textOf(now), textOf(edit.seen?.[name] ?? null))
  return { kind: 'changed', reason, current }
}

function absentRow({ columns }: TableStructure): string {
  return columns.some(({ is_key: isKey }) => isKey)
    ? 'The row no longer exists.'
    : 'The row has changed or no longer exists.'
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

// Postgres does not tell rows that a policy hides from rows that no policy lets the identity change.
function unreached(edits: readonly RowEdit[], missed: number): string {
  const verb = edits.every(({ kind }) => kind === 'delete') ? 'delete' : 'change'
  return edits.length === 1
    ? `No row was changed: no policy lets this identity see and ${verb} the row.`
    : `${missed} of ${edits.length} rows were not changed: no policy lets this identity see and ${verb} them.`
}
