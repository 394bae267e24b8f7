// Opens the change sheet for an edit of a table's structure.
import { useNavigate } from '@tanstack/react-router'
import {
  type StructureEdit,
  statementsOf,
  titleOf,
} from '../../../../emulator/contract/structure-edits.ts'
import { openChange } from '../../../parts/change/open-change.ts'

/** @param onApplied called after the change was applied */
export type Edit = (edit: StructureEdit, onApplied?: () => void) => void

export function useEdits(tenant: string): Edit {
  const navigate = useNavigate()
  return (edit, onApplied) => {
    const table = tableAfter(edit)
    openChange({
      tenant,
      title: titleOf(edit),
      statements: statementsOf(edit),
      onApplied: () => {
        onApplied?.()
        if (table === null) void navigate({ to: '/t/$tenant/tables', params: { tenant } })
        else if (table !== undefined)
          void navigate({ to: '/t/$tenant/tables/$table', params: { tenant, table } })
      },
    })
  }
}

/** The table to show after the edit; `null` shows no table, and `undefined` keeps the current one. */
function tableAfter(edit: StructureEdit): string | null | undefined {
  switch (edit.kind) {
    case 'create_table':
      return edit.table
    case 'rename_table':
      return edit.to
    case 'drop_table':
      return null
    default:
      return undefined
  }
}
