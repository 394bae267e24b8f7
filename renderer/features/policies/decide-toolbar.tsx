// Who asks for what: identity, command, the columns that would change; and how many rows may.
import { PencilLine } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { Explanation } from '../../../emulator/contract/explain.ts'
import type { TableColumn } from '../../../emulator/contract/tables.ts'
import type { RowCommand } from '../../../emulator/contract/values.ts'
import { IdentityPicker } from '../../parts/identity-picker.tsx'
import { RowForm } from '../../parts/row-form.tsx'
import { verdictCount } from '../../parts/verdict-words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatDuration } from '../../ui/format.ts'
import { Select } from '../../ui/select.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import type { PoliciesAddress } from './use-policies-address.ts'

const COMMANDS: readonly { readonly value: RowCommand; readonly label: string }[] = [
  { value: 'select', label: 'select' },
  { value: 'insert', label: 'insert' },
  { value: 'update', label: 'update' },
  { value: 'delete', label: 'delete' },
]

export interface DecideToolbarProps {
  readonly address: PoliciesAddress
  readonly columns: readonly TableColumn[]
  readonly explanation: Explanation | undefined
}

export function DecideToolbar({ address, columns, explanation }: DecideToolbarProps): ReactElement {
  const { tenant, identity, command, search } = address
  const [isWriting, setWriting] = useState(false)
  return (
    <Toolbar label="Who asks for what" actions={<Count explanation={explanation} />}>
      <span className="text-ink-dim">May</span>
      <IdentityPicker
        tenant={tenant}
        label="Identity"
        value={identity ?? null}
        onChange={(next) => next !== null && address.lookAs(next)}
        className="w-56"
      />
      <Select
        label="Command"
        isMono
        value={command}
        options={COMMANDS}
        onChange={address.ask}
        className="w-24"
      />
      <span className="text-ink-dim">{command === 'insert' ? 'this row?' : 'which rows?'}</span>
      {command === 'update' && (
        <Button icon={<PencilLine aria-hidden />} onClick={() => setWriting(true)}>
          <span className="max-w-64 truncate font-mono">{changeWords(search.set)}</span>
        </Button>
      )}
      <Dialog
        title="What would change"
        side="right"
        isBare
        isOpen={isWriting}
        onClose={() => setWriting(false)}
      >
        <div className="flex h-full flex-col">
          <p className="border-b px-4 py-3">
            Columns that an update would set, on every row. The check clauses are asked of the row
            as it would become.
          </p>
          <RowForm
            columns={columns}
            initial={search.set ?? {}}
            absent={() => 'unchanged'}
            action="Evaluate"
            onSubmit={(cells) => {
              setWriting(false)
              address.write(Object.keys(cells).length === 0 ? undefined : cells)
            }}
          />
        </div>
      </Dialog>
    </Toolbar>
  )
}

function Count({ explanation }: Pick<DecideToolbarProps, 'explanation'>): ReactElement | undefined {
  if (explanation === undefined) return undefined
  const { rows, command, total, allowed_total, duration_ms } = explanation
  const allowed = allowed_total ?? rows.filter((row) => row.allowed).length
  return (
    <span className="text-ink-dim tabular-nums">
      <span data-testid="allowed-count" className="text-ink">
        {verdictCount(command, allowed, total)}
      </span>{' '}
      · {formatDuration(duration_ms)}
    </span>
  )
}

function changeWords(set: Readonly<Record<string, string | null>> | undefined): string {
  const entries = Object.entries(set ?? {})
  if (entries.length === 0) return 'set…'
  return `set ${entries.map(([name, value]) => `${name} = ${value ?? 'null'}`).join(', ')}`
}
