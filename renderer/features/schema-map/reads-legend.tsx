// Counts the tables by what the identity reads of them. Also explains the colours of the map.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import type { ReadableTables } from '../../../emulator/contract/readable-tables.ts'
import { Spinner } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { type DrawnReads, READ_LOOKS, type ReadLook } from './read-looks.ts'
import { READS } from './texts.ts'

const ORDER = Object.keys(READ_LOOKS) as readonly ReadLook[]

export function ReadsLegend({
  reads,
  tables,
}: {
  readonly reads: UseQueryResult<ReadableTables>
  /** The drawn tables that have a mark. */
  readonly tables: readonly DrawnReads[]
}): ReactElement {
  const count = (look: ReadLook) => tables.filter((table) => table.look === look).length
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
        ORDER.filter((look) => count(look) > 0).map((look) => (
          <span key={look} className="flex items-center gap-2">
            <span
              className={cx(
                'size-3 rounded-full border border-line-strong',
                READ_LOOKS[look].swatch,
              )}
            />
            {READS[look]} {count(look)}
          </span>
        ))
      )}
    </div>
  )
}
