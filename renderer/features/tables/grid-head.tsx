// The head of the grid: names and types, a click sorts, the edge widens.
import { ArrowDown, ArrowUp, KeyRound, Link2 } from 'lucide-react'
import { memo, type ReactElement } from 'react'
import type { ForeignKey, TableColumn } from '../../../emulator/contract/tables.ts'
import type { RowsOrder } from '../../api/tables.ts'
import { isRightAligned, kindOfType } from '../../parts/cell-kind.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cx } from '../../ui/cx.ts'
import { edgeDrag } from '../../ui/drag.ts'
import { shortType } from './column-widths.ts'
import { nextOrder } from './filters.ts'

export interface GridHeadProps {
  readonly columns: readonly TableColumn[]
  readonly foreignKeys: readonly ForeignKey[]
  /** CSS grid columns: gutter, columns, rest. */
  readonly template: string
  readonly order: RowsOrder | undefined
  readonly onSort: (order: RowsOrder | undefined) => void
  readonly widths: Readonly<Record<string, number>>
  readonly onWidth: (column: string, width: number) => void
  readonly isAllSelected: boolean
  readonly isSomeSelected: boolean
  readonly onSelectAll: (isAll: boolean) => void
}

export const GridHead = memo(function GridHead(props: GridHeadProps): ReactElement {
  const { columns, template, isAllSelected, isSomeSelected, onSelectAll } = props
  return (
    <div
      role="row"
      aria-rowindex={1}
      style={{ gridTemplateColumns: template }}
      className="sticky top-0 z-20 grid h-8 w-max min-w-full border-b border-line-strong bg-surface-1"
    >
      <div
        role="columnheader"
        className="sticky left-0 z-10 grid place-items-center border-r bg-surface-1"
      >
        <Checkbox
          label="Select all rows"
          isLabelHidden
          isChecked={isAllSelected}
          isPartial={isSomeSelected && !isAllSelected}
          onChange={onSelectAll}
        />
      </div>
      {columns.map((column) => (
        <HeadCell key={column.name} {...props} column={column} />
      ))}
    </div>
  )
})

function HeadCell({
  column,
  foreignKeys,
  order,
  onSort,
  widths,
  onWidth,
}: GridHeadProps & { readonly column: TableColumn }): ReactElement {
  const { name, type, choices, is_key } = column
  const sorted =
    order?.column !== name ? undefined : order.descending === true ? 'descending' : 'ascending'
  const Arrow = sorted === 'descending' ? ArrowDown : ArrowUp
  const isForeign = foreignKeys.some(({ columns }) => columns.includes(name))
  return (
    <div
      role="columnheader"
      aria-sort={sorted ?? 'none'}
      className="group/head relative flex min-w-0 border-r"
    >
      <button
        type="button"
        title={headTitle(column)}
        onClick={() => onSort(nextOrder(order, name))}
        className={cx(
          'flex min-w-0 flex-1 items-center gap-1.5 px-2 hover:bg-surface-2',
          isRightAligned(kindOfType(type, choices)) && 'justify-end',
        )}
      >
        {is_key && <KeyRound aria-hidden size={11} className="shrink-0 text-accent" />}
        {isForeign && <Link2 aria-hidden size={11} className="shrink-0 text-ink-dim" />}
        <span className={cx('truncate font-mono', sorted !== undefined && 'text-accent')}>
          {name}
        </span>
        {sorted === undefined ? (
          <span className="truncate font-mono text-small text-ink-dim">{shortType(type)}</span>
        ) : (
          <Arrow aria-hidden size={12} className="shrink-0 text-accent" />
        )}
      </button>
      <Edge
        label={`Resize ${name}`}
        width={widths[name] ?? 0}
        onWidth={(width) => onWidth(name, width)}
      />
    </div>
  )
}

function Edge({
  label,
  width,
  onWidth,
}: {
  readonly label: string
  readonly width: number
  readonly onWidth: (width: number) => void
}): ReactElement {
  return (
    <div
      role="separator"
      tabIndex={-1}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      {...edgeDrag('x', () => width, onWidth)}
      className="absolute inset-y-0 -right-1 z-10 w-2 cursor-col-resize touch-none hover:bg-accent/40"
    />
  )
}

function headTitle({ name, type, is_nullable, default: by, comment }: TableColumn): string {
  return [
    `${name} ${type}${is_nullable ? '' : ' not null'}`,
    by === null ? undefined : `default ${by}`,
    comment ?? undefined,
  ]
    .filter(Boolean)
    .join('\n')
}
