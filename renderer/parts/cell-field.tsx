// The form field of one column. The column's type selects choices, booleans, multi-line JSON or text. Null and default
// are separate values.
import type { KeyboardEvent, ReactElement } from 'react'
import type { TableColumn } from '../../emulator/contract/tables.ts'
import { cx } from '../ui/cx.ts'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { editableText, kindOfType, problemOf } from './cell-kind.ts'

export interface CellFieldProps {
  readonly column: TableColumn
  /** The value `null` is SQL's null. `undefined` leaves the column at its default or unchanged. */
  readonly value: string | null | undefined
  /** Label for `undefined` and for an unchanged stored value. Shown as a placeholder, and on the button that chooses them. */
  readonly absent: string
  /** The value of the stored row, in a form that changes a row. */
  readonly stored?: string | null | undefined
  /** Why the value was refused. */
  readonly problem?: string | undefined
  readonly onChange: (value: string | null | undefined) => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
}

export function CellField(props: CellFieldProps): ReactElement {
  const { column, value, absent, onChange, onKeyDown } = props
  const kind = kindOfType(column.type, column.choices)
  const choices = kind === 'boolean' ? ['true', 'false'] : column.choices
  return (
    <div className="grid gap-1">
      <div className="flex items-center gap-1.5 text-small text-ink-dim">
        <span className="truncate font-mono text-ink">{column.name}</span>
        <span className="truncate font-mono">{column.type}</span>
        <Absences {...props} />
      </div>
      {choices === null ? (
        <TextField
          label={column.name}
          isLabelHidden
          isMono
          lines={kind === 'json' ? 4 : 1}
          value={editableText(kind, value ?? null)}
          placeholder={value === null ? 'null' : (column.default ?? absent)}
          error={(typeof value === 'string' ? problemOf(kind, value) : undefined) ?? props.problem}
          onChange={onChange}
          {...(onKeyDown === undefined ? {} : { onKeyDown })}
        />
      ) : (
        <Select
          label={column.name}
          isMono
          value={editableText(kind, value ?? null) || null}
          placeholder={value === null ? 'null' : (column.default ?? absent)}
          options={choices.map((choice) => ({ value: choice, label: choice }))}
          onChange={onChange}
        />
      )}
    </div>
  )
}

/** The buttons that choose null or the default, or restore the stored value. */
function Absences(props: CellFieldProps): ReactElement {
  const { absent, column, onChange, stored, value } = props
  const isKept = value === undefined || value === stored
  return (
    <span className="ml-auto flex gap-1">
      <Absence
        label={isKept || stored === undefined ? absent : 'undo change'}
        isOn={isKept}
        onClick={() => onChange(stored)}
      />
      {column.is_nullable && (
        <Absence label="null" isOn={value === null} onClick={() => onChange(null)} />
      )}
    </span>
  )
}

function Absence(props: {
  readonly label: string
  readonly isOn: boolean
  readonly onClick: () => void
}): ReactElement {
  const { label, isOn, onClick } = props
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={cx(
        'rounded-1 px-1 italic',
        isOn ? 'bg-surface-3 text-ink' : 'hover:bg-surface-2 hover:text-ink',
      )}
    >
      {label}
    </button>
  )
}

/** The label of a column that has no value yet in a new row. */
export function absenceOnInsert(column: TableColumn): string {
  if (column.default !== null) return 'default'
  return column.is_nullable ? 'null by default' : 'required'
}
