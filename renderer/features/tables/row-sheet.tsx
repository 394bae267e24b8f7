// Shows the columns of the open row, why the identity may see, change or delete the row, and its history. After a refused edit, the
// sheet shows the reason.
import { type ReactElement, useCallback, useState } from 'react'
import type { PastState } from '../../../emulator/contract/history.ts'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import type { RowCommand } from '../../../emulator/contract/values.ts'
import { useRows } from '../../api/tables.ts'
import { RowColumns, type RowColumnsProps } from '../../parts/row-columns.tsx'
import { isAbout, type Refusal } from '../../parts/row-edits/use-row-edits.ts'
import { type RowKey, rowKeyLabel } from '../../parts/row-key.ts'
import { WhyPanel } from '../../parts/why-panel.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Select } from '../../ui/select.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useLastWriters } from './last-writer.tsx'
import { RowLife } from './row-history.tsx'
import { rowsOfPage, type ShownRow } from './shown-rows.ts'
import type { RowPart } from './tables-search.ts'
import type { TablesAddress } from './use-tables-address.ts'

export interface RowSheetProps {
  readonly address: TablesAddress
  readonly structure: TableStructure
  /** The row is `undefined` when the grid does not contain it. */
  readonly row: ShownRow | undefined
  readonly refusal: Refusal | undefined
  readonly past: PastState | undefined
}

export function RowSheet({ address, structure, row, refusal, past }: RowSheetProps): ReactElement {
  const { openKey, search } = address
  const id = search.row ?? ''
  const below = useLastWriters(address.tenant, structure, openKey, past?.before_sequence)
  const hasHistory = structure.kind === 'table' || structure.kind === 'partitioned_table'
  const close = useCallback(() => address.openRow(undefined), [address.openRow])
  const open = (show: 'row' | RowPart) => address.openRow(id, show === 'row' ? undefined : show)
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
          ...(hasHistory ? [{ value: 'history', label: 'History' } as const] : []),
        ]}
        onChange={open}
      >
        {openKey === undefined ? undefined : search.show === 'history' ? (
          <RowLife tenant={address.tenant} structure={structure} rowKey={openKey} />
        ) : search.show === 'why' ? (
          <RowWhy
            key={refusal?.message}
            address={address}
            table={structure.name}
            rowKey={openKey}
            refusal={isAbout(refusal, id) ? refusal : undefined}
          />
        ) : row === undefined ? (
          <AbsentRow address={address} structure={structure} rowKey={openKey} below={below} />
        ) : (
          <RowColumns
            tenant={address.tenant}
            structure={structure}
            row={row.cells}
            as={search.as}
            at={search.at}
            below={below}
          />
        )}
      </Tabs>
    </Sheet>
  )
}

// Shows an open row that the filters exclude, or that is beyond the grid's row limit.
function AbsentRow(props: {
  readonly address: TablesAddress
  readonly structure: TableStructure
  readonly rowKey: RowKey
  readonly below: RowColumnsProps['below'] & {}
}): ReactElement {
  const { address, below, structure, rowKey } = props
  const { as, at } = address.search
  const filters = Object.entries(rowKey).map(([column, value]) =>
    value === null
      ? { column, operator: 'is_null' as const }
      : { column, operator: 'eq' as const, value },
  )
  const found = useRows(
    address.tenant,
    structure.name,
    { identity: null, filters, limit: 1, ...(at !== undefined && { at }) },
    true,
  )
  if (found.error !== null) return <Failed error={found.error} retry={() => void found.refetch()} />
  if (found.data === undefined) return <Loading label="Loading the row" />
  const [row] = rowsOfPage(found.data, structure.columns)
  if (row === undefined)
    return (
      <EmptyState
        title="Row not found"
        detail={
          at === undefined
            ? 'The row was deleted, or its key has changed.'
            : 'The row did not exist at this instant, or had another key.'
        }
      />
    )
  return (
    <RowColumns
      tenant={address.tenant}
      structure={structure}
      row={row.cells}
      as={as}
      at={at}
      below={below}
    />
  )
}

type Asked = Exclude<RowCommand, 'insert'>

const COMMANDS: readonly { readonly value: Asked; readonly label: string }[] = [
  { value: 'select', label: 'see the row' },
  { value: 'update', label: 'change the row' },
  { value: 'delete', label: 'delete the row' },
]

function RowWhy(props: {
  readonly address: TablesAddress
  readonly table: string
  readonly rowKey: RowKey
  readonly refusal: Refusal | undefined
}): ReactElement {
  const { address, table, rowKey, refusal } = props
  const { tenant, identity, search } = address
  const refused = refusal?.command === 'insert' ? undefined : refusal?.command
  const [command, setCommand] = useState<Asked>(refused ?? 'select')
  if (identity === null)
    return (
      <EmptyState
        title="The owner sees every row"
        detail="Policies don't apply to the owner. Choose an identity in “Act as” to see why it may or may not see this row."
      />
    )
  if (search.at !== undefined)
    return (
      <EmptyState
        title="Only present rows are explained"
        detail="Choose “Back to now” to see why the identity may or may not see this row."
      />
    )
  const isRefused = refusal !== undefined && refused === command
  return (
    <>
      <div className="flex items-center gap-2 border-b bg-surface-1 px-4 py-2">
        <span className="text-ink-dim">Permission to</span>
        <Select
          label="Permission"
          size="small"
          value={command}
          options={COMMANDS}
          onChange={setCommand}
        />
      </div>
      {isRefused && (
        <p role="alert" className="border-b border-refused/40 bg-refused/8 px-4 py-2 text-refused">
          {refusal.message}
        </p>
      )}
      <WhyPanel
        tenant={tenant}
        question={{
          relation: table,
          identity,
          command,
          key: rowKey,
          ...(isRefused && refusal.newRow && { newRow: refusal.newRow }),
        }}
      />
    </>
  )
}
