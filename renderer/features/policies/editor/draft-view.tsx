// Shows what a draft changes. A matrix contains the verdict of each identity on each row, now and with the draft. Also shows
// how many rows each identity sees.
import { ScanEye } from 'lucide-react'
import { type ReactElement, type ReactNode, useState } from 'react'
import { ROW_COMMANDS } from '../../../../emulator/contract/choices.ts'
import type { DraftMatrix } from '../../../../emulator/contract/policy-drafts.ts'
import type { RowCommand } from '../../../../emulator/contract/values.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { rowKeyLabel, rowKeyText } from '../../../parts/row-key.ts'
import { VerdictGrid } from '../../../parts/verdict-grid.tsx'
import { splitReason, verdictWord } from '../../../parts/verdict-words.ts'
import { Chip } from '../../../ui/chip.tsx'
import { cx } from '../../../ui/cx.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { countOf, plainOptionsOf } from '../../../ui/form-values.ts'
import { formatNumber } from '../../../ui/format.ts'
import { Select } from '../../../ui/select.tsx'
import { Toolbar } from '../../../ui/toolbar.tsx'
import { EDITOR, EMPTY } from '../texts.ts'
import type { JudgedDraft } from './use-draft.ts'

const COMMANDS = plainOptionsOf(ROW_COMMANDS)

export interface DraftViewProps {
  readonly judged: JudgedDraft
  readonly command: RowCommand
  readonly onCommand: (command: RowCommand) => void
  /** Names of the identities, in the order of the columns. */
  readonly labels: readonly string[]
  /** The form of the new row, for an INSERT. */
  readonly children?: ReactNode
}

export function DraftView(props: DraftViewProps): ReactElement {
  const { children, command, judged, onCommand } = props
  const { isStale, matrix, query } = judged
  return (
    <section aria-label="Effect of the draft" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Toolbar label="Effect" actions={matrix && <Changes matrix={matrix} isStale={isStale} />}>
        <span className="text-ink-dim">Who may</span>
        <Select
          label="Judged command"
          isMono
          value={command}
          options={COMMANDS}
          onChange={onCommand}
        />
        <span className="text-ink-dim">{command === 'insert' ? 'this row?' : 'which row?'}</span>
      </Toolbar>
      <Loaded query={{ ...query, data: matrix }} what="the effect of the draft" lines={12}>
        {(loaded) => <Grid {...props} matrix={command === 'insert' ? ofNewRow(loaded) : loaded} />}
      </Loaded>
      {children}
    </section>
  )
}

/** Gives the new row a name in the matrix instead of a key, because a new row has no key yet. */
function ofNewRow(matrix: DraftMatrix): DraftMatrix {
  const key = { row: EDITOR.newRow.label }
  return { ...matrix, rows: matrix.rows.map((row) => ({ ...row, key })) }
}

function Changes(props: { readonly matrix: DraftMatrix; readonly isStale: boolean }): ReactElement {
  const { isStale, matrix } = props
  const cells = matrix.rows.flatMap((row) => row.cells)
  const gained = cells.filter(({ allowed, now }) => allowed && !now.allowed).length
  const lost = cells.filter(({ allowed, now }) => !allowed && now.allowed).length
  return (
    <span role="status" className="flex items-center gap-2 text-ink-dim">
      {isStale && EDITOR.stale}
      {gained > 0 && (
        <Chip tone="clock" icon={null}>
          {countOf(gained, 'cell')} gained
        </Chip>
      )}
      {lost > 0 && (
        <Chip tone="changed" icon={null}>
          {countOf(lost, 'cell')} lost
        </Chip>
      )}
      {gained + lost === 0 && EDITOR.unchanged}
    </span>
  )
}

function Grid(props: DraftViewProps & { readonly matrix: DraftMatrix }): ReactElement {
  const { command, judged, labels, matrix } = props
  const [open, setOpen] = useState<{ readonly row: string; readonly identity: number }>()
  if (matrix.rows.length === 0) return <EmptyState icon={<ScanEye />} {...EMPTY.rows} />
  const named = matrix.identities.map((identity, index) => ({
    ...identity,
    label: labels[index] ?? identity.label,
    note: seesText(identity.sees, matrix.counted),
  }))
  const row = matrix.rows.find(({ key }) => rowKeyText(key) === open?.row)
  const cell = open && row?.cells[open.identity]
  return (
    <>
      <div
        className={cx(
          'flex min-h-0',
          command === 'insert' ? 'shrink-0' : 'flex-1',
          judged.isStale && 'opacity-60',
        )}
      >
        <VerdictGrid
          matrix={{ ...matrix, identities: named }}
          command={command}
          open={open}
          onOpen={(key, identity) => setOpen({ row: key, identity })}
        />
      </div>
      <p className="border-t bg-surface-1 px-4 py-2 text-small text-ink-dim">
        {row !== undefined && open !== undefined && cell !== undefined ? (
          <>
            <span className="text-ink">
              {command === 'insert' ? EDITOR.newRow.title : `Row ${rowKeyLabel(row.key)}`} for{' '}
              {named[open.identity]?.label}:
            </span>{' '}
            {reasonText(command, cell.now, 'now')}; {reasonText(command, cell, 'with the draft')}
          </>
        ) : (
          partText(matrix)
        )}
      </p>
    </>
  )
}

/** Returns a text such as `hidden now: no policy for SELECT`. */
function reasonText(
  command: RowCommand,
  { allowed, reason }: { readonly allowed: boolean; readonly reason: string },
  when: string,
): string {
  const [, rest] = splitReason(command, allowed, reason)
  return `${verdictWord(command, allowed)} ${when}${rest}`
}

function seesText(
  { draft, now }: DraftMatrix['identities'][number]['sees'],
  of: number | null,
): string {
  if (of === null) return 'not counted'
  const [before, after] = [now, draft].map((count) =>
    count === null ? 'none' : formatNumber(count),
  )
  const change = before === after ? after : `${before} → ${after}`
  return `sees ${change} of ${formatNumber(of)}`
}

function partText({ counted, rows, total }: DraftMatrix): string {
  const shown =
    rows.length < total
      ? `The first ${formatNumber(rows.length)} of ${countOf(total, 'row')}.`
      : `All ${countOf(total, 'row')}.`
  const part =
    counted === null
      ? ' Counting took too long.'
      : counted < total
        ? ` Counts are of the first ${formatNumber(counted)} rows.`
        : ''
  return `${shown}${part} ${EDITOR.bypass}`
}
