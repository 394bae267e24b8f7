// The line above the grid: filters, what is selected, how many rows the identity sees, and the switch for hidden rows.
import { Eye, RotateCw, Trash2, X } from 'lucide-react'
import type { ReactElement } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { identityLabel } from '../../parts/identity-text.ts'
import { verdictCount } from '../../parts/verdict-words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Switch } from '../../ui/checkbox.tsx'
import { cx } from '../../ui/cx.ts'
import { formatNumber } from '../../ui/format.ts'
import { Toolbar } from '../../ui/toolbar.tsx'
import { AddFilter } from './add-filter.tsx'
import { filterText, isUnary, OPERATOR_LABELS } from './filters.ts'
import { type GridRows, MOST_ROWS } from './use-grid-rows.ts'
import type { TablesAddress } from './use-tables-address.ts'

export interface RowsToolbarProps {
  readonly address: TablesAddress
  readonly structure: TableStructure
  readonly grid: GridRows
  readonly selected: number
  readonly onDelete: () => void
}

export function RowsToolbar(props: RowsToolbarProps): ReactElement {
  const { address, structure, grid, selected, onDelete } = props
  return (
    <Toolbar
      label="Filters and rows"
      actions={
        <>
          <Count address={address} grid={grid} />
          <IconButton
            label="Read again"
            icon={<RotateCw aria-hidden className={cx(grid.isFetching && 'animate-spin')} />}
            onClick={grid.reload}
          />
        </>
      }
    >
      {selected > 0 && (
        <Button size="small" tone="danger" icon={<Trash2 aria-hidden />} onClick={onDelete}>
          Delete {formatNumber(selected)} {selected === 1 ? 'row' : 'rows'}
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
          // biome-ignore lint/suspicious/noArrayIndexKey: the same filter may stand twice
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
            <X aria-hidden size={11} />
          </button>
        </span>
      ))}
    </>
  )
}

function Count({
  address: { identity, search, hideHiddenRows },
  grid: { allowed, total, rows },
}: Pick<RowsToolbarProps, 'address' | 'grid'>): ReactElement | undefined {
  if (rows === undefined) return undefined
  if (identity === null || allowed === undefined)
    return (
      <span className="text-ink-dim tabular-nums">
        {total > MOST_ROWS && `first ${formatNumber(MOST_ROWS)} of `}
        {formatNumber(total)} {total === 1 ? 'row' : 'rows'}
      </span>
    )
  const hidden = rows.filter(({ verdict }) => verdict?.allowed === false).length
  return (
    <>
      <span data-testid="visible-count" className="inline-flex items-center gap-1 tabular-nums">
        <Eye
          aria-hidden
          size={13}
          className={allowed === total ? 'text-allowed' : 'text-ink-dim'}
        />
        {verdictCount('select', allowed, total)}
        <span className="text-ink-dim">to</span>
        <span className="max-w-56 truncate text-accent">{identityLabel(identity)}</span>
      </span>
      <Switch
        label={`${formatNumber(hidden)} hidden ${hidden === 1 ? 'row' : 'rows'}`}
        isChecked={search.hidden !== 'off'}
        isDisabled={hidden === 0}
        onChange={(isShown) => hideHiddenRows(!isShown)}
      />
    </>
  )
}
