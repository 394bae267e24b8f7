// Every row with its verdict for one identity and one command; a row opens its X-ray.
import { type ReactElement, useCallback } from 'react'
import type { Explanation, RowVerdict } from '../../../emulator/contract/explain.ts'
import { useExplanation } from '../../api/explain.ts'
import { useTableStructure } from '../../api/tables.ts'
import { rowKeyLabel, rowKeyText } from '../../parts/row-key.ts'
import { RunnableSql } from '../../parts/sql-actions.tsx'
import { WhyPanel } from '../../parts/why-panel.tsx'
import { DataGrid } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Sheet, SheetLayout } from '../../ui/sheet.tsx'
import { DecideToolbar } from './decide-toolbar.tsx'
import { InsertView } from './insert-view.tsx'
import type { PoliciesAddress } from './use-policies-address.ts'
import { verdictColumns } from './verdict-columns.tsx'

const MOST_ROWS = 10_000

export interface DecideViewProps {
  readonly address: PoliciesAddress
  readonly table: string
}

export function DecideView({ address, table }: DecideViewProps): ReactElement {
  const { tenant, identity, command, search } = address
  const structure = useTableStructure(tenant, table)
  const answer = useExplanation(
    tenant,
    identity === undefined || command === 'insert'
      ? undefined
      : {
          relation: table,
          identity,
          command,
          limit: MOST_ROWS,
          detail: 'verdicts',
          ...(search.set === undefined ? {} : { new_row: search.set }),
        },
  )
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <DecideToolbar
        address={address}
        columns={structure.data?.columns ?? []}
        explanation={command === 'insert' ? undefined : answer.data}
      />
      {identity === undefined ? (
        <EmptyState
          title="Choose an identity"
          detail="Choose a user, a key, a past request or custom claims to see the decision for each row."
        />
      ) : command === 'insert' ? (
        <InsertView
          address={address}
          identity={identity}
          table={table}
          columns={structure.data?.columns ?? []}
        />
      ) : answer.isError ? (
        <Failed
          title="The policies could not be evaluated"
          error={answer.error}
          retry={() => void answer.refetch()}
        />
      ) : answer.data === undefined ? (
        <Loading label="Evaluating the policies" lines={12} />
      ) : (
        <Verdicts address={address} table={table} explanation={answer.data} />
      )}
    </div>
  )
}

function Verdicts({
  address,
  table,
  explanation,
}: DecideViewProps & { readonly explanation: Explanation }): ReactElement {
  const { tenant, identity, command, search, openKey } = address
  const { suggested_fix: fix, sentence, verdict } = explanation.table
  const close = useCallback(() => address.openRow(undefined), [address.openRow])
  const sheet =
    openKey === undefined || identity === undefined ? undefined : (
      <Sheet
        name="row"
        isBare
        width={560}
        label="X-ray"
        title={
          <span className="font-mono">
            {table} <span className="text-ink-dim">{rowKeyLabel(openKey)}</span>
          </span>
        }
        onClose={close}
      >
        <div className="min-h-0 flex-1 overflow-auto">
          <WhyPanel
            tenant={tenant}
            question={{
              relation: table,
              identity,
              command,
              key: openKey,
              ...(search.set === undefined ? {} : { newRow: search.set }),
            }}
          />
        </div>
      </Sheet>
    )
  return (
    <SheetLayout sheet={sheet}>
      {verdict !== 'policies_decide' && (
        <div className="grid gap-2 border-b bg-surface-1 px-4 py-2">
          <p>{sentence}</p>
          {fix !== null && <RunnableSql tenant={tenant} sql={fix} label="suggested fix" />}
        </div>
      )}
      <DataGrid<RowVerdict>
        label={`Verdicts for the rows of ${table}`}
        name={`verdicts.${tenant}.${table}`}
        columns={verdictColumns(explanation)}
        rows={explanation.rows}
        rowKey={({ key }) => rowKeyText(key)}
        selected={search.row}
        onSelect={(key) => address.openRow(key)}
        isHidden={({ allowed }) => !allowed}
        isFirst
        empty={<EmptyState title="No rows" detail="The table has nothing to decide about." />}
      />
    </SheetLayout>
  )
}
