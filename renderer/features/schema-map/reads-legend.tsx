// Counts the tables by what the identity reads of them. Also explains the colours of the map.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import type { ReadableTable, ReadableTables } from '../../../emulator/contract/readable-tables.ts'
import { Spinner } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { READS } from './texts.ts'

const SWATCHES: Readonly<Record<ReadableTable['reads'], string>> = {
  all: 'bg-allowed',
  some: 'bg-changed',
  none: 'bg-unknown',
  empty: 'bg-surface-3',
  refused: 'bg-refused',
  unknown: 'bg-clock',
}

const ORDER = ['all', 'some', 'none', 'empty', 'refused', 'unknown'] as const

export function ReadsLegend({
  reads,
  tables,
}: {
  readonly reads: UseQueryResult<ReadableTables>
  /** The drawn tables that have a mark. */
  readonly tables: readonly ReadableTable[]
}): ReactElement {
  const count = (state: ReadableTable['reads']) =>
    tables.filter((table) => table.reads === state).length
  return (
    <div
      role="status"
      aria-label="What the identity reads"
      className="flex min-h-8 shrink-0 flex-wrap items-center gap-4 border-t bg-surface-1 px-4 py-1 text-small text-ink-dim"
    >
      {reads.data === undefined ? (
        reads.error === null ? (
          <>
            <Spinner /> Counting rows…
          </>
        ) : (
          <span className="text-refused">Could not count rows: {reads.error.message}</span>
        )
      ) : (
        ORDER.filter((state) => count(state) > 0).map((state) => (
          <span key={state} className="flex items-center gap-2">
            <span
              className={cx('size-2 rounded-full border border-line-strong', SWATCHES[state])}
            />
            {READS[state]} {count(state)}
          </span>
        ))
      )}
    </div>
  )
}
