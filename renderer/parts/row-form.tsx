// A form with one field per column of a row. The form sends only columns that the user has changed.
import { type ReactElement, type ReactNode, useState } from 'react'
import type { TableColumn } from '../../emulator/contract/tables.ts'
import { Button } from '../ui/button.tsx'
import { CellField } from './cell-field.tsx'
import { kindOfType, problemOf } from './cell-kind.ts'

export type RowCells = Readonly<Record<string, string | null>>

export interface RowFormProps {
  readonly columns: readonly TableColumn[]
  readonly initial: RowCells
  /** The stored row, in a form that changes it. */
  readonly stored?: RowCells
  /** The label of a column that the form does not send: `default`, `unchanged`. */
  readonly absent: (column: TableColumn) => string
  readonly action: string
  readonly isBusy?: boolean
  /** Why the last values were refused, by column. */
  readonly problems?: Readonly<Record<string, string>>
  /** Text above the button, such as the reason of a refusal. */
  readonly note?: ReactNode
  readonly onSubmit: (cells: RowCells) => void
}

export function RowForm(props: RowFormProps): ReactElement {
  const { columns, initial, stored, absent, action, isBusy = false, note, onSubmit } = props
  const [cells, setCells] = useState<RowCells>(initial)
  const writable = columns.filter(({ is_generated }) => !is_generated)
  const isSound = writable.every(
    ({ name, type, choices }) =>
      problemOf(kindOfType(type, choices), cells[name] ?? null) === undefined,
  )
  return (
    <form
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (isSound) onSubmit(cells)
      }}
    >
      <div className="grid min-h-0 flex-1 auto-rows-min gap-3 overflow-auto p-4">
        {writable.map((column) => (
          <CellField
            key={column.name}
            column={column}
            absent={absent(column)}
            problem={props.problems?.[column.name]}
            stored={stored?.[column.name]}
            value={Object.hasOwn(cells, column.name) ? cells[column.name] : undefined}
            onChange={(value) => setCells(withCell(cells, column.name, value))}
          />
        ))}
      </div>
      {note}
      <div className="flex shrink-0 justify-end border-t px-4 py-2">
        <Button type="submit" tone="primary" disabled={!isSound} isBusy={isBusy}>
          {action}
        </Button>
      </div>
    </form>
  )
}

function withCell(cells: RowCells, name: string, value: string | null | undefined): RowCells {
  const { [name]: _before, ...others } = cells
  return value === undefined ? others : { ...others, [name]: value }
}
