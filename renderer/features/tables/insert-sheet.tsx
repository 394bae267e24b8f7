// The form inserts a new row as the owner or as the chosen identity. After a refusal the form shows the explanation.
import { type ReactElement, useState } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { absenceOnInsert } from '../../parts/cell-field.tsx'
import { identityLabel } from '../../parts/identity-text.ts'
import type { RowEdits, WriteOutcome } from '../../parts/row-edits/use-row-edits.ts'
import { type RowCells, RowForm } from '../../parts/row-form.tsx'
import { WhyPanel } from '../../parts/why-panel.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { TablesAddress } from './use-tables-address.ts'

type FailedWrite = Extract<WriteOutcome, { readonly kind: 'failed' }>

export function InsertSheet(props: {
  readonly address: TablesAddress
  readonly structure: TableStructure
  readonly edits: RowEdits
  readonly onClose: () => void
}): ReactElement {
  const { address, structure, edits, onClose } = props
  const { tenant, identity } = address
  const [refused, setRefused] = useState<RowCells>()
  const [failure, setFailure] = useState<FailedWrite>()
  const who = identity === null ? '' : ` as ${identityLabel(identity)}`
  const insert = async (row: RowCells) => {
    setRefused(undefined)
    setFailure(undefined)
    const outcome = await edits.write([{ kind: 'insert', row }])
    if (outcome.kind === 'denied') setRefused(row)
    if (outcome.kind === 'failed') setFailure(outcome)
    if (outcome.kind !== 'done') return
    showToast({ title: 'Row inserted', tone: 'allowed' })
    onClose()
  }
  return (
    <Sheet
      name="row"
      isBare
      width={540}
      isForm
      label={`New row of ${structure.name}`}
      title={
        <>
          New row of <span className="font-mono">{structure.name}</span>
          <span className="font-normal text-ink-dim">{who}</span>
        </>
      }
      onClose={onClose}
    >
      <RowForm
        columns={structure.columns}
        initial={{}}
        absent={absenceOnInsert}
        action={`Insert row${who}`}
        isBusy={edits.isBusy}
        problems={failure?.column === undefined ? {} : { [failure.column]: failure.reason }}
        onSubmit={(row) => void insert(row)}
        note={
          failure !== undefined ? (
            <p role="alert" className="border-t bg-refused/8 px-4 py-2 text-refused">
              {failure.reason}
            </p>
          ) : refused === undefined || identity === null ? undefined : (
            <section
              aria-label="Reason of the refusal"
              className="max-h-1/2 overflow-auto border-t"
            >
              <p role="alert" className="bg-refused/8 px-4 py-2 text-refused">
                {edits.refusal?.message}
              </p>
              <WhyPanel
                tenant={tenant}
                question={{
                  relation: structure.name,
                  identity,
                  command: 'insert',
                  newRow: refused,
                }}
              />
            </section>
          )
        }
      />
    </Sheet>
  )
}
