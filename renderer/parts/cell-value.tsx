// Shows a cell's value. Null, empty texts and booleans have their own marks.
import type { ReactElement } from 'react'
import { cx } from '../ui/cx.ts'
import { type CellKind, displayText } from './cell-kind.ts'

export function CellValue(props: {
  readonly kind: CellKind
  readonly value: string | null
}): ReactElement {
  const { kind, value } = props
  if (value === null) return <span className="text-unknown italic">null</span>
  if (value === '') return <span className="text-unknown italic">empty</span>
  if (kind === 'boolean')
    return (
      <span className="inline-flex items-center gap-1">
        <span
          aria-hidden
          className={cx(
            'size-2 rounded-full border border-current',
            (value === 't' || value === 'true') && 'bg-current',
          )}
        />
        {displayText(kind, value)}
      </span>
    )
  return <>{displayText(kind, value)}</>
}
