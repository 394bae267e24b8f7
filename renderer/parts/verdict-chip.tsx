// Shows a row's verdict and its reason in one line. A click opens the X-ray.
import { Eye, EyeOff, Pencil, PencilOff, Plus, Trash2, X } from 'lucide-react'
import type { ReactElement } from 'react'
import type { RowCommand } from '../../emulator/contract/values.ts'
import { cx } from '../ui/cx.ts'
import { splitReason, verdictWord } from './verdict-words.ts'

const ICONS = {
  select: { yes: Eye, no: EyeOff },
  insert: { yes: Plus, no: X },
  update: { yes: Pencil, no: PencilOff },
  delete: { yes: Trash2, no: X },
} as const

export function VerdictChip(props: {
  readonly command: RowCommand
  readonly allowed: boolean
  readonly reason: string
  readonly onOpen: () => void
}): ReactElement {
  const { command, allowed, reason, onOpen } = props
  const [word, rest] = splitReason(command, allowed, reason)
  return (
    <button
      type="button"
      tabIndex={-1}
      title={`${reason}\nOpen the X-ray`}
      aria-label={`Why is this row ${verdictWord(command, allowed)}? ${reason}`}
      onClick={(event) => {
        event.stopPropagation()
        onOpen()
      }}
      className={cx(
        'inline-flex h-5 max-w-full min-w-0 items-center gap-1 rounded-1 border px-1 text-small transition-colors',
        allowed
          ? 'border-allowed/40 bg-surface-1 text-allowed hover:bg-surface-3'
          : 'border-dashed border-refused/60 bg-surface-1 text-refused hover:border-solid hover:bg-surface-3',
      )}
    >
      <VerdictIcon command={command} allowed={allowed} />
      <span className="truncate text-ink-dim">
        <span className={cx('font-strong', allowed ? 'text-allowed' : 'text-refused')}>{word}</span>
        {rest}
      </span>
    </button>
  )
}

/** Shows only the shape of a verdict, without text. */
export function VerdictIcon(props: {
  readonly command: RowCommand
  readonly allowed: boolean
}): ReactElement {
  const { command, allowed } = props
  const Icon = ICONS[command][allowed ? 'yes' : 'no']
  return <Icon size={12} className="shrink-0" />
}
