// The form for a row that an INSERT would add. The draft is judged for this row, and no row is inserted.
import type { ReactElement } from 'react'
import { useTableStructure } from '../../../api/tables.ts'
import { absenceOnInsert } from '../../../parts/cell-field.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { type RowCells, RowForm } from '../../../parts/row-form.tsx'
import { EDITOR } from '../texts.ts'

export function NewRowForm(props: {
  readonly tenant: string
  readonly table: string
  readonly newRow: RowCells
  readonly onJudge: (row: RowCells) => void
}): ReactElement {
  const { newRow, onJudge, table, tenant } = props
  const structure = useTableStructure(tenant, table)
  return (
    <section
      aria-label={EDITOR.newRow.title}
      className="flex min-h-0 max-w-2xl flex-1 flex-col border-t border-r"
    >
      <header className="flex flex-wrap items-baseline gap-x-2 border-b bg-surface-1 px-4 py-2">
        <h3 className="font-strong">{EDITOR.newRow.title}</h3>
        <p className="text-small text-ink-dim">{EDITOR.newRow.detail}</p>
      </header>
      <Loaded query={structure} what="the columns">
        {({ columns }) => (
          <RowForm
            columns={columns}
            initial={newRow}
            absent={absenceOnInsert}
            action="Evaluate policies"
            onSubmit={onJudge}
          />
        )}
      </Loaded>
    </section>
  )
}
