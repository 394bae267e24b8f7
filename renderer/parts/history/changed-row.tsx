// One changed row in a list: what happened to the row, a link to its history, and old and new values.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { ChangeEvent } from '../change-verdict-chip.tsx'
import { rowKeyLabel, rowKeyText } from '../row-key.ts'
import { CellChanges, type CellChangesProps } from './cell-changes.tsx'
import type { ColumnKinds } from './use-column-kinds.ts'

export function ChangedRow(
  props: Omit<CellChangesProps, 'kinds'> & {
    readonly tenant: string
    readonly table: string
    /** The kinds of the columns by table. */
    readonly kinds: ReadonlyMap<string, ColumnKinds>
  },
): ReactElement {
  const { kind, kinds, rowKey, table, tenant } = props
  return (
    <li className="flex min-w-0 flex-col gap-1 border-b px-3 py-2 last:border-b-0">
      <div className="flex min-w-0 items-center gap-3">
        <ChangeEvent event={kind} />
        <RowLink tenant={tenant} table={table} rowKey={rowKey} />
      </div>
      <CellChanges {...props} kinds={kinds.get(table)} />
    </li>
  )
}

/** A link to the history of a row. Links to the table when the key is empty. */
export function RowLink(props: {
  readonly tenant: string
  readonly table: string
  readonly rowKey: CellChangesProps['rowKey']
}): ReactElement {
  const { rowKey, table, tenant } = props
  const isRow = Object.keys(rowKey).length > 0
  return (
    <Link
      to="/t/$tenant/tables/$table"
      params={{ tenant, table }}
      search={isRow ? { row: rowKeyText(rowKey), show: 'history' } : {}}
      className="min-w-0 truncate font-mono text-accent hover:underline"
    >
      {isRow ? `${table} ${rowKeyLabel(rowKey)}` : table}
    </Link>
  )
}
