// Lists snapshots as a timeline, with the current state first and then the last one that was saved.
import type { ReactElement } from 'react'
import type { Snapshot } from '../../../emulator/contract/snapshots.ts'
import { Breakable } from '../../ui/breakable.tsx'
import { cx } from '../../ui/cx.ts'
import { countOf } from '../../ui/form-values.ts'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'

export function Timeline(props: {
  readonly snapshots: readonly Snapshot[]
  readonly open: string | undefined
  readonly onOpen: (name: string) => void
}): ReactElement {
  const { snapshots, open, onOpen } = props
  return (
    <ol aria-label="Snapshots" className="min-h-0 flex-1 overflow-auto px-6 py-4">
      <li className="relative flex h-9 items-center gap-3 pl-6 text-ink-dim">
        <Dot isNow />
        Now
      </li>
      {snapshots.map((snapshot) => (
        <li key={snapshot.name} className="relative py-1 pl-6">
          <Dot isNow={false} />
          <button
            type="button"
            aria-current={snapshot.name === open ? 'true' : undefined}
            onClick={() => onOpen(snapshot.name)}
            className={cx(
              'flex w-full flex-wrap items-center gap-x-4 gap-y-1 rounded-2 border px-3 py-2 text-left',
              snapshot.name === open
                ? 'border-accent bg-surface-2'
                : 'bg-surface-1 hover:border-line-strong',
            )}
          >
            <span className="min-w-0 flex-1 font-mono font-strong break-words">
              <Breakable text={snapshot.name} />
            </span>
            <span className="text-small text-ink-dim">{countOf(snapshot.tenants, 'tenant')}</span>
            <span className="w-20 text-right text-small text-ink-dim">
              <Bytes bytes={snapshot.size_bytes} />
            </span>
            <span className="text-right text-small whitespace-nowrap text-ink-dim">
              saved <Timestamp at={snapshot.saved_at} format="exact" />
            </span>
            {snapshot.note !== null && (
              <span className="w-full break-words text-ink-dim">{snapshot.note}</span>
            )}
          </button>
        </li>
      ))}
    </ol>
  )
}

function Dot({ isNow }: { readonly isNow: boolean }): ReactElement {
  return (
    <span aria-hidden="true" className="absolute inset-y-0 left-0 w-4">
      <span className="absolute inset-y-0 left-[7px] w-[1px] bg-line-strong" />
      <span
        className={cx(
          'absolute left-[3px] size-[9px] rounded-full border',
          isNow
            ? 'top-[14px] border-accent bg-accent'
            : 'top-[20px] border-line-strong bg-surface-0',
        )}
      />
    </span>
  )
}
