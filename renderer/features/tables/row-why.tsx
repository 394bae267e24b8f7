// Why the identity may see, change or delete the open row; after a refused edit, why that was refused.
import { type ReactElement, useState } from 'react'
import type { RowCommand } from '../../../emulator/contract/values.ts'
import type { RowKey } from '../../parts/row-key.ts'
import { WhyPanel } from '../../parts/why-panel.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select } from '../../ui/select.tsx'
import type { Refusal } from './use-row-edits.ts'
import type { TablesAddress } from './use-tables-address.ts'

type Asked = Exclude<RowCommand, 'insert'>

const COMMANDS: readonly { readonly value: Asked; readonly label: string }[] = [
  { value: 'select', label: 'see it' },
  { value: 'update', label: 'change it' },
  { value: 'delete', label: 'delete it' },
]

export function RowWhy({
  address: { tenant, identity },
  table,
  rowKey,
  refusal,
}: {
  readonly address: TablesAddress
  readonly table: string
  readonly rowKey: RowKey
  readonly refusal: Refusal | undefined
}): ReactElement {
  const refused = refusal?.command === 'insert' ? undefined : refusal?.command
  const [command, setCommand] = useState<Asked>(refused ?? 'select')
  if (identity === null)
    return (
      <EmptyState
        title="The owner sees everything"
        detail="No policy stops the owner. View the table as somebody to learn why they see this row or not."
      />
    )
  const isRefused = refusal !== undefined && refused === command
  return (
    <>
      <div className="flex items-center gap-2 border-b bg-surface-1 px-4 py-2">
        <span className="text-ink-dim">May they</span>
        <Select
          label="What is asked"
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
          ...(isRefused && refusal.newRow !== undefined ? { newRow: refusal.newRow } : {}),
        }}
      />
    </>
  )
}
