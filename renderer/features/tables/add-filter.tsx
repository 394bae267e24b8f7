// One more condition: column, operator, value.
import { ListFilter } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { TableColumn } from '../../../emulator/contract/tables.ts'
import type { RowFilter } from '../../api/tables.ts'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { isUnary, OPERATOR_LABELS, operatorsFor } from './filters.ts'

export interface AddFilterProps {
  readonly columns: readonly TableColumn[]
  readonly onAdd: (filter: RowFilter) => void
}

export function AddFilter({ columns, onAdd }: AddFilterProps): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" tone="quiet" icon={<ListFilter aria-hidden />}>
          Filter
        </Button>
      }
    >
      <FilterForm
        columns={columns}
        onAdd={(filter) => {
          setOpen(false)
          onAdd(filter)
        }}
      />
    </Popover>
  )
}

function FilterForm({ columns, onAdd }: AddFilterProps): ReactElement {
  const [name, setName] = useState(columns[0]?.name ?? '')
  const [chosen, setOperator] = useState<RowFilter['operator']>('eq')
  const [value, setValue] = useState('')
  const column = columns.find((one) => one.name === name)
  const operators = operatorsFor(column?.type ?? 'text')
  const operator = operators.includes(chosen) ? chosen : 'eq'
  const choices = column?.type === 'boolean' ? ['true', 'false'] : column?.choices
  return (
    <form
      className="grid w-72 gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onAdd(isUnary(operator) ? { column: name, operator } : { column: name, operator, value })
      }}
    >
      <Select
        label="Column"
        isMono
        value={name}
        options={columns.map((one) => ({ value: one.name, label: one.name, detail: one.type }))}
        onChange={setName}
      />
      <Select
        label="Operator"
        isMono
        value={operator}
        options={operators.map((one) => ({ value: one, label: OPERATOR_LABELS[one] }))}
        onChange={setOperator}
      />
      {!isUnary(operator) &&
        (choices === null || choices === undefined ? (
          <TextField
            label="Value"
            isLabelHidden
            isMono
            value={value}
            onChange={setValue}
            placeholder="value"
          />
        ) : (
          <Select
            label="Value"
            isMono
            value={value === '' ? null : value}
            options={choices.map((one) => ({ value: one, label: one }))}
            onChange={setValue}
          />
        ))}
      <Button tone="primary" type="submit">
        Filter
      </Button>
    </form>
  )
}
