// Rows against identities: who may what at a glance; a cell opens its X-ray.
import { type ReactElement, useCallback } from 'react'
import type { RowCommand } from '../../../emulator/contract/values.ts'
import { useIdentities, useVerdictMatrix } from '../../api/explain.ts'
import { readableReference } from '../../parts/identity-choices.ts'
import { identityLabel, identityText } from '../../parts/identity-text.ts'
import { rowKeyLabel } from '../../parts/row-key.ts'
import { VerdictGrid } from '../../parts/verdict-grid.tsx'
import { WhyPanel } from '../../parts/why-panel.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { formatDuration, formatNumber } from '../../ui/format.ts'
import { Loading } from '../../ui/loading.tsx'
import { Select } from '../../ui/select.tsx'
import { Sheet, SheetLayout } from '../../ui/sheet.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import type { PoliciesAddress } from './use-policies-address.ts'

type Asked = Exclude<RowCommand, 'insert'>

const COMMANDS: readonly { readonly value: Asked; readonly label: string }[] = [
  { value: 'select', label: 'select' },
  { value: 'update', label: 'update' },
  { value: 'delete', label: 'delete' },
]
const LIMITS = { rows: 200, identities: 50 }

export interface MatrixViewProps {
  readonly address: PoliciesAddress
  readonly table: string
}

export function MatrixView({ address, table }: MatrixViewProps): ReactElement {
  const { tenant, identity, openKey, search } = address
  const command: Asked = address.command === 'insert' ? 'select' : address.command
  const choices = useIdentities(tenant)
  const references = (choices.data?.identities ?? [])
    .slice(0, LIMITS.identities)
    .map(({ reference, label }) => readableReference(reference, label))
  const matrix = useVerdictMatrix(
    tenant,
    references.length === 0
      ? undefined
      : { relation: table, command, identities: references, limit: LIMITS.rows },
  )
  const close = useCallback(() => address.openRow(undefined), [address.openRow])
  const error = choices.error ?? matrix.error
  const sheet =
    openKey === undefined || identity === undefined ? undefined : (
      <Sheet
        name="row"
        isBare
        width={560}
        label="X-ray"
        title={
          <>
            <span className="font-mono">
              {table} <span className="text-ink-dim">{rowKeyLabel(openKey)}</span>
            </span>{' '}
            <span className="font-normal text-ink-dim">for {identityLabel(identity)}</span>
          </>
        }
        onClose={close}
      >
        <div className="min-h-0 flex-1 overflow-auto">
          <WhyPanel
            tenant={tenant}
            question={{ relation: table, identity, command, key: openKey }}
          />
        </div>
      </Sheet>
    )
  return (
    <SheetLayout sheet={sheet}>
      <Toolbar
        label="What is asked"
        actions={
          matrix.data && (
            <span className="text-ink-dim tabular-nums">
              {formatNumber(matrix.data.rows.length)} of {formatNumber(matrix.data.total)} rows ×{' '}
              {matrix.data.identities.length} identities · {formatDuration(matrix.data.duration_ms)}
            </span>
          )
        }
      >
        <span className="text-ink-dim">Who may</span>
        <Select label="Command" isMono value={command} options={COMMANDS} onChange={address.ask} />
        <span className="text-ink-dim">which row?</span>
      </Toolbar>
      {error !== null ? (
        <Failed
          title="The matrix could not be evaluated"
          error={error}
          retry={() => void (choices.isError ? choices.refetch() : matrix.refetch())}
        />
      ) : matrix.data === undefined ? (
        <Loading label="Evaluating every row for everybody" lines={12} />
      ) : matrix.data.rows.length === 0 ? (
        <EmptyState title="No rows" detail="The table has nothing to decide about." />
      ) : (
        <VerdictGrid
          matrix={matrix.data}
          command={command}
          open={
            search.row === undefined || identity === undefined
              ? undefined
              : {
                  row: search.row,
                  identity: references.findIndex((one) => identityText(one) === search.as),
                }
          }
          onOpen={(row, position) => {
            const reference = references[position]
            if (reference !== undefined) address.openRow(row, reference)
          }}
        />
      )}
    </SheetLayout>
  )
}
