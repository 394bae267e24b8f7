// A row that somebody would insert, and what the check clauses say of it.
import type { ReactElement } from 'react'
import type { IdentityReference } from '../../../emulator/contract/identities.ts'
import type { TableColumn } from '../../../emulator/contract/tables.ts'
import { absenceOnInsert } from '../../parts/cell-field.tsx'
import { RowForm } from '../../parts/row-form.tsx'
import { WhyPanel } from '../../parts/why-panel.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import type { PoliciesAddress } from './use-policies-address.ts'

export interface InsertViewProps {
  readonly address: PoliciesAddress
  readonly identity: IdentityReference
  readonly table: string
  readonly columns: readonly TableColumn[]
}

export function InsertView({
  address: { tenant, search, write },
  identity,
  table,
  columns,
}: InsertViewProps): ReactElement {
  return (
    <Splitter
      label="Resize the row to insert"
      name="insert"
      initial={420}
      min={280}
      first={
        <RowForm
          key={columns.length}
          columns={columns}
          initial={search.set ?? {}}
          absent={absenceOnInsert}
          action="Evaluate"
          onSubmit={write}
        />
      }
      second={
        <div className="min-h-0 flex-1 overflow-auto">
          {search.set === undefined ? (
            <EmptyState
              title="Write the row that they would insert"
              detail="Nothing is inserted: the check clauses are evaluated, and each leaf shows the values it compared."
            />
          ) : (
            <WhyPanel
              tenant={tenant}
              question={{ relation: table, identity, command: 'insert', newRow: search.set }}
            />
          )}
        </div>
      }
    />
  )
}
