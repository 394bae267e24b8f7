// Shows one table with head, filters and grid. The open row or the form for a new row is at the right.
import { type ReactElement, useCallback, useMemo, useState } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { MeasuredFix } from '../../parts/fixes/measured-fix.tsx'
import { type RowEdits, useRowEdits } from '../../parts/row-edits/use-row-edits.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { useFocusReturn } from '../../ui/focus-return.ts'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { countOf } from '../../ui/form-values.ts'
import { Loading } from '../../ui/loading.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { showToast } from '../../ui/toast.tsx'
import { InsertSheet } from './insert-sheet.tsx'
import { PastBand } from './past/past-band.tsx'
import { PastTimeline } from './past/past-timeline.tsx'
import { RowSheet } from './row-sheet.tsx'
import { RowsGrid } from './rows-grid.tsx'
import { RowsToolbar, type RowsToolbarProps } from './rows-toolbar.tsx'
import { isHidden } from './shown-rows.ts'
import { NewTableSheet } from './structure/new-table-sheet.tsx'
import { StructureSheet } from './structure/structure-sheet.tsx'
import { TableHead } from './table-head.tsx'
import { type TableRows, useTableRows } from './use-table-rows.ts'
import type { TablesAddress } from './use-tables-address.ts'

const NONE: ReadonlySet<string> = new Set()

export interface TableViewProps {
  readonly address: TablesAddress
  readonly structure: TableStructure
}

export function TableView(
  props: TableViewProps & {
    /** Says which filters and sort order of the address were removed, because the table has no such columns. */
    readonly removed: string | undefined
  },
): ReactElement {
  const { address, removed, structure } = props
  const { tenant, identity, search } = address
  const [isInserting, setInserting] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const [picked, setPicked] = useState(NONE)
  const grid = useTableRows(address, structure)
  const edits = useRowEdits(tenant, structure, identity)
  const isPast = search.at !== undefined
  const isTable = structure.kind === 'table' || structure.kind === 'partitioned_table'
  const closeInsert = useCallback(() => setInserting(false), [])
  return (
    <>
      <TableHead
        address={address}
        structure={structure}
        isEditable={isTable}
        onInsert={() => {
          address.openRow(undefined)
          setInserting(true)
        }}
      />
      <Bars
        address={address}
        structure={structure}
        grid={grid}
        pickedCount={isPast ? 0 : picked.size}
        onDelete={() => setDeleting(true)}
      />
      {removed !== undefined && (
        <Removed sentence={removed} onDismiss={() => address.select(address)} />
      )}
      <Notice address={address} table={structure.name} grid={grid} />
      <SheetLayout
        sheet={openSheet(props, grid, edits, isInserting && !isPast ? closeInsert : undefined)}
      >
        <Rows
          address={address}
          structure={grid.structure}
          grid={grid}
          edits={edits}
          isEditable={isTable && !isPast}
          picked={picked}
          onPick={setPicked}
        />
      </SheetLayout>
      {isDeleting && (
        <DeleteRows
          address={address}
          table={structure.name}
          rows={(grid.rows ?? []).filter(({ id }) => picked.has(id))}
          edits={edits}
          onClose={() => setDeleting(false)}
          onTried={() => setPicked(NONE)}
        />
      )}
    </>
  )
}

/** @param closeInsert closes the form for a new row; `undefined` when the form is not open */
function openSheet(
  { address, structure }: TableViewProps,
  grid: TableRows,
  edits: RowEdits,
  closeInsert: (() => void) | undefined,
): ReactElement | undefined {
  const { search, tenant } = address
  const close = () => address.openSheet(undefined)
  if (closeInsert !== undefined)
    return (
      <InsertSheet address={address} structure={structure} edits={edits} onClose={closeInsert} />
    )
  if (search.sheet === 'structure')
    return <StructureSheet tenant={tenant} structure={structure} onClose={close} />
  if (search.sheet === 'new_table') return <NewTableSheet tenant={tenant} onClose={close} />
  if (search.row === undefined) return undefined
  return (
    <RowSheet
      key={search.row}
      address={address}
      structure={structure}
      row={grid.rows?.find(({ id }) => id === search.row)}
      refusal={edits.refusal}
      past={grid.past}
    />
  )
}

/** The toolbar, and below it the timeline and the band that names the instant of the rows. */
function Bars(props: Omit<RowsToolbarProps, 'isTimelineOpen' | 'onTimeline'>): ReactElement {
  const { address, grid, structure } = props
  const { at } = address.search
  const [hasTimeline, setTimeline] = useState(false)
  const isTimelineOpen = hasTimeline || at !== undefined
  const goTo = (instant: string | undefined) => {
    setTimeline(true)
    address.goTo(instant)
  }
  return (
    <>
      <RowsToolbar
        {...props}
        isTimelineOpen={isTimelineOpen}
        onTimeline={(isOpen) => {
          setTimeline(isOpen)
          if (!isOpen) address.goTo(undefined)
        }}
      />
      {isTimelineOpen && (
        <PastTimeline
          tenant={address.tenant}
          structure={structure}
          at={at}
          past={grid.past}
          onGoTo={goTo}
        />
      )}
      {at !== undefined && (
        <PastBand
          at={at}
          past={grid.past}
          isOfIdentity={address.identity !== null}
          onNow={() => address.goTo(undefined)}
        />
      )}
    </>
  )
}

interface RowsProps extends TableViewProps {
  readonly grid: TableRows
  readonly edits: RowEdits
  readonly isEditable: boolean
  readonly picked: ReadonlySet<string>
  readonly onPick: (picked: ReadonlySet<string>) => void
}

function Rows(props: RowsProps): ReactElement {
  const { address, structure, grid, edits, isEditable, picked, onPick } = props
  const { rows } = grid
  const isWithoutHidden = address.search.hidden === 'off'
  const shown = useMemo(
    () => (isWithoutHidden ? rows?.filter((row) => !isHidden(row)) : rows) ?? [],
    [rows, isWithoutHidden],
  )
  if (grid.error !== null && rows === undefined)
    return <Failed title="Could not load the rows" error={grid.error} retry={grid.reload} />
  if (rows === undefined) return <Loading label="Loading rows" lines={12} />
  return (
    <RowsGrid
      address={address}
      structure={structure}
      rows={shown}
      isEditable={isEditable}
      picking={address.search.at === undefined ? { picked, onPick } : undefined}
      onWrite={async (row, column, write) => {
        const changes = { [column]: write.value }
        const seen = { [column]: write.seen }
        const outcome = await edits.write([{ kind: 'update', key: row.key, changes, seen }])
        if (outcome.kind === 'denied') address.openRow(row.id, 'why')
        if (outcome.kind === 'done') return undefined
        const now = outcome.kind === 'changed' ? outcome.current[column] : undefined
        return { reason: outcome.reason, ...(now !== undefined && { now }) }
      }}
      empty={
        <NoRows
          hasHidden={rows.length > 0}
          isFiltered={address.filters.length > 0}
          isPast={address.search.at !== undefined}
        />
      }
    />
  )
}

function NoRows(props: {
  readonly hasHidden: boolean
  readonly isFiltered: boolean
  readonly isPast: boolean
}): ReactElement {
  const { hasHidden, isFiltered, isPast } = props
  if (hasHidden)
    return (
      <EmptyState
        title="All rows are hidden"
        detail="This identity sees none of the rows. Show the hidden rows to learn why."
      />
    )
  if (isFiltered)
    return <EmptyState title="No rows match" detail="Remove a filter to see more rows." />
  if (isPast)
    return (
      <EmptyState title="No rows at this instant" detail="Choose a later instant to see rows." />
    )
  return (
    <EmptyState
      title="No rows yet"
      detail="Rows appear here. Insert a row, or import a CSV or JSON file."
    />
  )
}

/** Says that filters or the sort order were removed. "Dismiss" also removes them from the address. */
function Removed(props: {
  readonly sentence: string
  readonly onDismiss: () => void
}): ReactElement {
  return (
    <div className="flex items-center gap-3 border-b bg-clock/10 px-4 py-1">
      <p role="status" className="min-w-0 break-words text-clock">
        {props.sentence}
      </p>
      <Button size="small" tone="quiet" className="ml-auto" onClick={props.onDismiss}>
        Dismiss
      </Button>
    </div>
  )
}

/** Shows a notice about the whole table above its rows, for example a missing grant. */
function Notice(props: {
  readonly address: TablesAddress
  readonly table: string
  readonly grid: TableRows
}): ReactElement | undefined {
  const { address, grid, table } = props
  const { identity, tenant } = address
  const { notice } = grid
  if (notice === undefined) return undefined
  return (
    <div className="grid gap-2 border-b bg-surface-1 px-4 py-2">
      <p>{notice.sentence}</p>
      {notice.suggested_fix !== null && identity !== null && (
        <MeasuredFix
          tenant={tenant}
          sql={notice.suggested_fix}
          of={{ relation: table, identity, command: 'select' }}
        />
      )}
    </div>
  )
}

interface DeleteRowsProps {
  readonly address: TablesAddress
  readonly table: string
  readonly rows: NonNullable<TableRows['rows']>
  readonly edits: RowEdits
  readonly onClose: () => void
  /** The dialog calls this after it deleted the rows, or after grants or policies refused the deletion. */
  readonly onTried: () => void
}

/** Asks for confirmation, then deletes the selected rows. */
function DeleteRows(props: DeleteRowsProps): ReactElement {
  const { address, table, rows, edits, onClose, onTried } = props
  const what = countOf(rows.length, 'row')
  const [failure, setFailure] = useState<string>()
  useFocusReturn()
  const remove = async () => {
    const outcome = await edits.write(
      rows.map(({ key, cells }) => ({ kind: 'delete', key, seen: cells })),
    )
    // After a change of a row, the rows reload. The same button then deletes the rows as they are now.
    if (outcome.kind === 'failed' || outcome.kind === 'changed') return setFailure(outcome.reason)
    onClose()
    onTried()
    if (outcome.kind === 'done') return showToast({ title: `${what} deleted`, tone: 'allowed' })
    const first = rows.find(isHidden) ?? rows[0]
    if (first !== undefined) address.openRow(first.id, 'why')
  }
  return (
    <ConfirmDialog
      isOpen
      title={`Delete ${what}?`}
      action={`Delete ${what}`}
      isBusy={edits.isBusy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      Deletes {what} of <span className="font-mono text-ink">{table}</span> in one transaction, with
      rows that reference them by <span className="font-mono">on delete cascade</span>.
      {failure !== undefined && (
        <p role="alert" className="pt-2 text-refused">
          {failure}
        </p>
      )}
    </ConfirmDialog>
  )
}
