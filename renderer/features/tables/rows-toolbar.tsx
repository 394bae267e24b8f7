// The toolbar above the grid: filters, selected rows, the number of visible rows, and the switch for hidden rows.
import { Eye, History, ListFilter, RotateCw, Trash2, X } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { TableColumn, TableStructure } from '../../../emulator/contract/tables.ts'
import type { RowFilter } from '../../api/tables.ts'
import { identityLabel } from '../../parts/identity-text.ts'
import { FIRST_LISTED, MOST_ROWS } from '../../parts/most-rows.ts'
import { judgedRows, verdictCount } from '../../parts/verdict-words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Switch } from '../../ui/checkbox.tsx'
import { cx } from '../../ui/cx.ts'
import { Form } from '../../ui/form.tsx'
import { countOf } from '../../ui/form-values.ts'
import { Popover } from '../../ui/popover.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { filterText, isUnary, OPERATOR_LABELS, operatorsFor } from './filters.ts'
import type { TableRows } from './use-table-rows.ts'
import type { TablesAddress } from './use-tables-address.ts'

export interface RowsToolbarProps {
  readonly address: TablesAddress
  readonly structure: TableStructure
  readonly grid: TableRows
  readonly pickedCount: number
  readonly onDelete: () => void
  readonly isTimelineOpen: boolean
  readonly onTimeline: (isOpen: boolean) => void
}

export function RowsToolbar(props: RowsToolbarProps): ReactElement {
  const { address, structure, grid, pickedCount, onDelete, isTimelineOpen, onTimeline } = props
  return (
    <Toolbar
      label="Filters and rows"
      actions={
        <>
          <Count address={address} grid={grid} />
          <Tooltip text="Shows the rows as they were before earlier requests">
            <Button
              size="small"
              tone="quiet"
              icon={<History />}
              aria-pressed={isTimelineOpen}
              className={cx(isTimelineOpen && 'bg-surface-3 text-ink')}
              onClick={() => onTimeline(!isTimelineOpen)}
            >
              As of
            </Button>
          </Tooltip>
          <IconButton
            label="Reload rows"
            icon={<RotateCw className={cx(grid.isFetching && 'animate-spin')} />}
            onClick={grid.reload}
          />
        </>
      }
    >
      {pickedCount > 0 && (
        <Button size="small" tone="danger" icon={<Trash2 />} onClick={onDelete}>
          Delete {countOf(pickedCount, 'row')}
        </Button>
      )}
      <Filters address={address} />
      <AddFilter
        columns={structure.columns}
        onAdd={(filter) => address.filterBy([...address.filters, filter])}
      />
    </Toolbar>
  )
}

function Filters({ address }: { readonly address: TablesAddress }): ReactElement {
  return (
    <>
      {address.filters.map((filter, position) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the same filter may occur twice
          key={`${filterText(filter)} ${position}`}
          className="inline-flex h-6 max-w-72 min-w-0 items-center gap-1 rounded-1 border border-accent/40 bg-accent/10 pl-2 font-mono text-small"
        >
          <span className="truncate">
            {filter.column} <span className="text-accent">{OPERATOR_LABELS[filter.operator]}</span>
            {isUnary(filter.operator) ? '' : ` ${filter.value === '' ? '(empty)' : filter.value}`}
          </span>
          <button
            type="button"
            aria-label={`Remove the filter on ${filter.column}`}
            onClick={() =>
              address.filterBy(address.filters.filter((_, other) => other !== position))
            }
            className="grid h-full w-5 shrink-0 place-items-center rounded-1 text-ink-dim hover:bg-surface-3 hover:text-ink"
          >
            <X size={11} />
          </button>
        </span>
      ))}
    </>
  )
}

function Count(props: Pick<RowsToolbarProps, 'address' | 'grid'>): ReactElement | undefined {
  const { address, grid } = props
  const { identity, search, hideHiddenRows } = address
  const { judged, total, rows } = grid
  if (rows === undefined) return undefined
  if (identity === null || judged === undefined)
    return (
      <>
        <span className="text-ink-dim tabular-nums">
          {total > MOST_ROWS && `${FIRST_LISTED} of `}
          {countOf(total, 'row')}
        </span>
        {identity !== null && (
          <span title="Go back to now to see the rows that the policies hide">
            <Switch label="Hidden rows" isChecked={false} isDisabled onChange={hideHiddenRows} />
          </span>
        )}
      </>
    )
  const { allowed, of } = judgedRows(judged)
  const hidden = of - allowed
  return (
    <>
      <span data-testid="visible-count" className="inline-flex items-center gap-1 tabular-nums">
        <Eye size={13} className={allowed === total ? 'text-allowed' : 'text-ink-dim'} />
        {verdictCount(judged)}
        <span className="text-ink-dim">to</span>
        <span className="max-w-56 truncate text-accent">{identityLabel(identity)}</span>
        {total > MOST_ROWS && <span className="text-ink-dim">· {FIRST_LISTED} listed</span>}
      </span>
      <Switch
        label={countOf(hidden, 'hidden row')}
        isChecked={search.hidden !== 'off'}
        isDisabled={hidden === 0}
        onChange={(isShown) => hideHiddenRows(!isShown)}
      />
    </>
  )
}

interface AddFilterProps {
  readonly columns: readonly TableColumn[]
  readonly onAdd: (filter: RowFilter) => void
}

/** Adds a filter from a column, an operator and a value. */
function AddFilter({ columns, onAdd }: AddFilterProps): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      title="Add filter"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" tone="quiet" icon={<ListFilter />}>
          Add filter
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
    <div className="w-72">
      <Form
        form={{
          isReady: true,
          submit: () =>
            onAdd(
              isUnary(operator) ? { column: name, operator } : { column: name, operator, value },
            ),
        }}
        action="Apply filter"
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
              placeholder="Value"
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
      </Form>
    </div>
  )
}
