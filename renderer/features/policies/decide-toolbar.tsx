// The toolbar above the decisions selects the command and the columns that an update sets. It also counts the
// allowed rows.
import { PencilLine } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { ROW_COMMANDS } from '../../../emulator/contract/choices.ts'
import type { Explanation } from '../../../emulator/contract/explain.ts'
import type { TableColumn } from '../../../emulator/contract/tables.ts'
import { identityLabel } from '../../parts/identity-text.ts'
import { FIRST_LISTED, MOST_ROWS } from '../../parts/most-rows.ts'
import { RowForm } from '../../parts/row-form.tsx'
import { verdictCount } from '../../parts/verdict-words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { plainOptionsOf } from '../../ui/form-values.ts'
import { formatDuration } from '../../ui/format.ts'
import { Select } from '../../ui/select.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { NOTES } from './texts.ts'
import type { PoliciesAddress } from './use-policies-address.ts'

export interface DecideToolbarProps {
  readonly address: PoliciesAddress
  readonly columns: readonly TableColumn[]
  readonly explanation: Explanation | undefined
}

export function DecideToolbar({ address, columns, explanation }: DecideToolbarProps): ReactElement {
  const { identity, command, search } = address
  const [isWriting, setWriting] = useState(false)
  return (
    <Toolbar label="Command" actions={<Count explanation={explanation} />}>
      <span className="text-ink-dim">
        May {identity === undefined ? 'the owner' : identityLabel(identity)}
      </span>
      <Select
        label="Command"
        isMono
        value={command}
        options={plainOptionsOf(ROW_COMMANDS)}
        onChange={address.ask}
        className="w-24"
      />
      <span className="text-ink-dim">{command === 'insert' ? 'this row?' : 'which rows?'}</span>
      {command === 'update' && (
        <Button icon={<PencilLine />} onClick={() => setWriting(true)}>
          <span className="max-w-64 truncate font-mono">{changeText(search.set)}</span>
        </Button>
      )}
      <Dialog
        title="Columns to update"
        side="right"
        isBare
        isOpen={isWriting}
        onClose={() => setWriting(false)}
      >
        <div className="flex h-full flex-col">
          <p className="border-b px-4 py-3">{NOTES.update}</p>
          <RowForm
            columns={columns}
            initial={search.set ?? {}}
            absent={() => 'unchanged'}
            action="Evaluate policies"
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
  return (
    <span className="text-ink-dim tabular-nums">
      <span data-testid="allowed-count" className="text-ink">
        {verdictCount(explanation)}
      </span>{' '}
      {explanation.total > MOST_ROWS && `· ${FIRST_LISTED} listed `}·{' '}
      {formatDuration(explanation.duration_ms)}
    </span>
  )
}

function changeText(set: Readonly<Record<string, string | null>> | undefined): string {
  const entries = Object.entries(set ?? {})
  if (entries.length === 0) return 'Set columns…'
  return `set ${entries.map(([name, value]) => `${name} = ${value ?? 'null'}`).join(', ')}`
}
