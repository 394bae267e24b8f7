// The open row: its columns, and why the identity may see, change or delete it.
import { type ReactElement, useCallback } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { useRows } from '../../api/tables.ts'
import { RowColumns } from '../../parts/row-columns.tsx'
import { type RowKey, rowKeyLabel } from '../../parts/row-key.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type GridRow, rowsOfPage } from './grid-rows.ts'
import { RowWhy } from './row-why.tsx'
import { isAbout, type Refusal } from './use-row-edits.ts'
import type { TablesAddress } from './use-tables-address.ts'

export interface RowSheetProps {
  readonly address: TablesAddress
  readonly structure: TableStructure
  /** `undefined` when the row is not among those of the grid. */
  readonly row: GridRow | undefined
  readonly refusal: Refusal | undefined
}

export function RowSheet({ address, structure, row, refusal }: RowSheetProps): ReactElement {
  const { openKey, search } = address
  const id = search.row ?? ''
  const close = useCallback(() => address.openRow(undefined), [address.openRow])
  const open = (show: 'row' | 'why') => address.openRow(id, show === 'why' ? 'why' : undefined)
  return (
    <Sheet
      name="row"
      isBare
      width={540}
      label={`Row of ${structure.name}`}
      title={
        <span className="font-mono">
          {structure.name} <span className="text-ink-dim">{openKey && rowKeyLabel(openKey)}</span>
        </span>
      }
      onClose={close}
    >
      <Tabs
        label="Row"
        value={search.show ?? 'row'}
        tabs={[
          { value: 'row', label: 'Row' },
          { value: 'why', label: 'Why' },
        ]}
        onChange={open}
      >
        {openKey === undefined ? undefined : search.show === 'why' ? (
          <RowWhy
            key={refusal?.message}
            address={address}
            table={structure.name}
            rowKey={openKey}
            refusal={isAbout(refusal, id) ? refusal : undefined}
          />
        ) : row === undefined ? (
          <AbsentRow address={address} structure={structure} rowKey={openKey} />
        ) : (
          <RowColumns
            tenant={address.tenant}
            structure={structure}
            row={row.cells}
            as={search.as}
          />
        )}
      </Tabs>
    </Sheet>
  )
}

// A row that the filters leave out, or that lies beyond what the grid holds.
function AbsentRow({
  address,
  structure,
  rowKey,
}: {
  readonly address: TablesAddress
  readonly structure: TableStructure
  readonly rowKey: RowKey
}): ReactElement {
  const filters = Object.entries(rowKey).map(([column, value]) =>
    value === null
      ? { column, operator: 'is_null' as const }
      : { column, operator: 'eq' as const, value },
  )
  const found = useRows(address.tenant, structure.name, { identity: null, filters, limit: 1 }, true)
  if (found.isError) return <Failed error={found.error} retry={() => void found.refetch()} />
  if (found.data === undefined) return <Loading label="Loading the row" />
  const [row] = rowsOfPage(found.data, structure.columns)
  if (row === undefined)
    return <EmptyState title="The row is gone" detail="It was deleted, or its key has changed." />
  return (
    <RowColumns
      tenant={address.tenant}
      structure={structure}
      row={row.cells}
      as={address.search.as}
    />
  )
}
