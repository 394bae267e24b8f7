// The tables screen shows the rows of a project's tables, as any identity sees them.

import { Database, Lock, Plus } from 'lucide-react'
import { type ReactElement, useEffect } from 'react'
import type { TableStructure, TableSummary } from '../../../emulator/contract/tables.ts'
import { useTableStructure, useTables } from '../../api/tables.ts'
import { keepTable } from '../../parts/last-table.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { type RailTable, TableRail } from '../../parts/table-rail.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumber, formatRoughly } from '../../ui/format.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { fitSelection } from './filters.ts'
import { NewTableSheet } from './structure/new-table-sheet.tsx'
import { TableView } from './table-view.tsx'
import { useFreshRows, useRowAnswers } from './use-table-rows.ts'
import { type TablesAddress, useTablesAddress } from './use-tables-address.ts'

export function TablesPage(): ReactElement {
  const address = useTablesAddress()
  const { tenant, table, search } = address
  const tables = useTables(tenant)
  useFreshRows(tenant)
  useEffect(() => keepTable(tenant, table), [tenant, table])
  const loadedList = (
    <Loaded query={tables} what="the tables">
      {(list) => (
        <TableRail
          label="Tables"
          screen="/t/$tenant/tables/$table"
          tenant={tenant}
          chosen={table}
          tables={list.tables.map(railTable)}
          search={{ as: search.as, at: search.at }}
          foot={
            <Button
              size="small"
              icon={<Plus />}
              className="w-full"
              onClick={() => address.openSheet('new_table')}
            >
              New table
            </Button>
          }
        />
      )}
    </Loaded>
  )
  if (tables.data === undefined && table === undefined) return <Page>{loadedList}</Page>
  return (
    <div className="flex min-h-0 flex-1">
      {tables.data === undefined ? (
        <div className="w-64 shrink-0 border-r bg-surface-1 max-md:w-52">{loadedList}</div>
      ) : (
        loadedList
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        {/* The open table loads without waiting for the list of tables. */}
        <Chosen address={address} count={tables.data?.tables.length ?? 0} />
      </div>
    </div>
  )
}

function Chosen(props: { readonly address: TablesAddress; readonly count: number }): ReactElement {
  const { address, count } = props
  const { search, tenant, table } = address
  const structure = useTableStructure(tenant, table)
  const selection = structure.data && fitSelection(address, structure.data)
  useRowAnswers({ ...address, ...selection }, table)
  if (table === undefined)
    return (
      <Page>
        <SheetLayout
          sheet={
            search.sheet === 'new_table' && (
              <NewTableSheet tenant={tenant} onClose={() => address.openSheet(undefined)} />
            )
          }
        >
          <EmptyState
            icon={<Database />}
            title={count === 0 ? 'No tables yet' : 'Choose a table'}
            detail={
              count === 0
                ? 'Tables appear here. Create a table with “New table”, or publish a template that has tables.'
                : 'The rows of the table appear here. View the rows as any identity: hidden rows appear dimmed, with the reason.'
            }
          />
        </SheetLayout>
      </Page>
    )
  if (structure.data === undefined)
    return (
      <Page title={table}>
        <Loaded query={structure} what="the table">
          {() => undefined}
        </Loaded>
      </Page>
    )
  if (structure.data.is_closed) return <ClosedTable structure={structure.data} />
  return (
    <TableView
      key={`${tenant} ${table}`}
      address={{ ...address, ...selection }}
      structure={structure.data}
      removed={selection?.removed}
    />
  )
}

function Page(props: { readonly title?: string; readonly children: ReactElement }): ReactElement {
  const { title = 'Tables', children } = props
  return (
    <>
      <PageHeader title={title} />
      {children}
    </>
  )
}

function railTable(table: TableSummary): RailTable {
  return {
    name: table.name,
    isView: table.kind === 'view' || table.kind === 'materialized_view',
    isClosed: table.is_closed,
    isSecured: table.rls_enabled,
    beside:
      table.rows === null
        ? 'view'
        : table.is_exact
          ? formatNumber(table.rows)
          : `about ${formatRoughly(table.rows)}`,
  }
}

/** Shows the columns of one of the platform's internal tables, never its rows. */
function ClosedTable({ structure }: { readonly structure: TableStructure }): ReactElement {
  return (
    <>
      <PageHeader
        title={structure.name}
        beside={<Chip icon={<Lock />}>Closed to project credentials</Chip>}
      />
      <div className="grid min-h-0 flex-1 auto-rows-min gap-3 overflow-auto p-4">
        <p className="max-w-160 text-ink-dim">
          The platform stores users in this table. Project keys and user sessions can't read it; use
          the Users screen or the auth routes. You can use these columns in foreign keys and joins:
        </p>
        <table className="w-max border-collapse font-mono">
          <tbody>
            {structure.columns.map(({ name, type, is_nullable }) => (
              <tr key={name} className="h-7 border-b">
                <td className="pr-8">{name}</td>
                <td className="pr-8 text-ink-dim">{type}</td>
                <td className="text-ink-dim">{is_nullable ? '' : 'not null'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
