// The policies screen shows the policies of a table, and their decision for each identity and row.
import { Plus, ShieldCheck, ShieldOff } from 'lucide-react'
import { lazy, type ReactElement, Suspense, useMemo } from 'react'
import type { PolicyOverview } from '../../../emulator/contract/explain.ts'
import { usePolicies } from '../../api/explain.ts'
import { useTableStructure, useTables } from '../../api/tables.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { usePaletteActions } from '../../parts/palette-actions.ts'
import { TableRail } from '../../parts/table-rail.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useFocusReturn } from '../../ui/focus-return.ts'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { useLatest } from '../../ui/use-latest.ts'
import { DecideView, useDecisions } from './decide-view.tsx'
import { MatrixView } from './matrix-view.tsx'
import type { PoliciesView } from './policies-search.ts'
import { RulesView } from './rules-view.tsx'
import { railTable, TableState, TablesOverview } from './tables-overview.tsx'
import { switchText, TITLE, unknownTableText, VIEWS } from './texts.ts'
import {
  type PoliciesAddress,
  type PolicyEdit,
  usePoliciesAddress,
} from './use-policies-address.ts'

const PolicyEditor = lazy(async () => {
  const { PolicyEditor: View } = await import('./editor/policy-editor.tsx')
  return { default: View }
})

type PolicyTable = PolicyOverview['tables'][number]

export function PoliciesPage(): ReactElement {
  const address = usePoliciesAddress()
  const { tenant, table: name, search } = address
  const overview = usePolicies(tenant)
  // Loads the decisions and their columns at the same time as the list of policies.
  const decided = address.view === 'rows' ? name : undefined
  useDecisions(address, decided)
  useTableStructure(tenant, decided)
  const views = new Set(
    (useTables(tenant).data?.tables ?? []).flatMap(({ name: own, kind }) =>
      kind === 'view' || kind === 'materialized_view' ? own : [],
    ),
  )
  if (overview.data === undefined)
    return (
      <>
        <PageHeader title={TITLE} />
        <Loaded query={overview} what="policies">
          {() => undefined}
        </Loaded>
      </>
    )
  const { tables } = overview.data
  const table = tables.find((one) => one.name === name)
  const isEditable = table !== undefined && !table.is_closed && !views.has(table.name)
  const editing = isEditable ? address.editing : undefined
  return (
    <div className="flex min-h-0 flex-1">
      {editing === undefined && (
        <TableRail
          label="Tables and their policies"
          screen="/t/$tenant/policies/$table"
          tenant={tenant}
          chosen={name}
          tables={tables.map((one) => railTable(one, views.has(one.name)))}
          search={{ as: search.as, view: search.view }}
        />
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        {table !== undefined ? (
          <PoliciesOfTable
            key={`${tenant} ${table.name}`}
            address={address}
            table={table}
            isEditable={isEditable}
            editing={editing}
          />
        ) : name === undefined ? (
          <TablesOverview
            tenant={tenant}
            functions={overview.data.function_warnings}
            tables={tables.filter((one) => !views.has(one.name) || one.warnings.length > 0)}
          />
        ) : (
          <>
            <PageHeader title={name} />
            <EmptyState title="Table not found" detail={unknownTableText(tenant, name)} />
          </>
        )}
      </div>
    </div>
  )
}

/** Outside the lazy editor, because the button that opened the editor is gone when the editor has loaded. */
function Editing(props: {
  readonly address: PoliciesAddress
  readonly table: PolicyTable
  readonly edit: PolicyEdit
}): ReactElement {
  const { edit } = props
  useFocusReturn()
  return (
    <Suspense fallback={<Loading label="Loading the editor" />}>
      <PolicyEditor key={`${edit.kind} ${edit.policy}`} {...props} />
    </Suspense>
  )
}

function PoliciesOfTable(props: {
  readonly address: PoliciesAddress
  readonly table: PolicyTable
  readonly isEditable: boolean
  /** The edit whose editor shows in place of the views. */
  readonly editing: PolicyEdit | undefined
}): ReactElement {
  const { address, editing, isEditable, table } = props
  const tabs: readonly Tab<PoliciesView>[] = [
    {
      value: 'rules',
      label: VIEWS.rules,
      beside: <span className="text-small text-ink-dim">{table.policies.length}</span>,
    },
    { value: 'rows', label: VIEWS.rows },
    { value: 'matrix', label: VIEWS.matrix },
  ]
  const { show } = useLatest({ show: address.show })
  usePaletteActions(
    useMemo(() => {
      const group = `Policies of ${table.name}`
      return [
        { id: 'policies.rules', label: VIEWS.rules, group, run: () => show('rules') },
        { id: 'policies.rows', label: VIEWS.rows, group, run: () => show('rows') },
        { id: 'policies.matrix', label: VIEWS.matrix, group, run: () => show('matrix') },
      ]
    }, [table.name, show]),
  )
  if (editing !== undefined)
    return (
      <>
        <PageHeader title={table.name} beside={<TableState table={table} />} />
        <Editing address={address} table={table} edit={editing} />
      </>
    )
  return (
    <>
      <PageHeader
        title={table.name}
        beside={<TableState table={table} />}
        actions={isEditable && <TableActions address={address} table={table} />}
      />
      <Tabs
        label={TITLE}
        value={address.view}
        tabs={table.is_closed ? tabs.slice(0, 1) : tabs}
        onChange={address.show}
      >
        {address.view === 'rows' && !table.is_closed ? (
          <DecideView address={address} table={table.name} />
        ) : address.view === 'matrix' && !table.is_closed ? (
          <MatrixView address={address} table={table.name} />
        ) : (
          <RulesView address={address} table={table} isEditable={isEditable} />
        )}
      </Tabs>
    </>
  )
}

function TableActions(props: {
  readonly address: PoliciesAddress
  readonly table: PolicyTable
}): ReactElement {
  const { address, table } = props
  return (
    <>
      <Button
        icon={table.rls_enabled ? <ShieldOff /> : <ShieldCheck />}
        onClick={() => address.edit({ kind: 'rls', policy: undefined })}
      >
        {switchText(table.rls_enabled)}
      </Button>
      <Button icon={<Plus />} onClick={() => address.edit({ kind: 'create', policy: undefined })}>
        Create policy
      </Button>
    </>
  )
}
