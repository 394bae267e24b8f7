// Widths of a grid's columns. Pure.
import type { ReactNode } from 'react'

export interface GridColumn<Row> {
  readonly id: string
  readonly header: ReactNode
  /** Said instead of the header when that is no text. */
  readonly label?: string
  /** In px; a column without one takes what is left. */
  readonly width?: number
  readonly min?: number
  /** Numbers align at the end. */
  readonly align?: 'start' | 'end'
  /** What came from a machine. */
  readonly isMono?: boolean
  readonly canSort?: boolean
  readonly render: (row: Row, index: number) => ReactNode
}

const LEAST = 40
const FLEXIBLE_LEAST = 120

/** A `grid-template-columns`; `widths` are those that a person chose. */
export function templateOf(
  columns: readonly Pick<GridColumn<never>, 'id' | 'width' | 'min'>[],
  widths: Readonly<Record<string, number>>,
): string {
  const parts = columns.map(({ id, width, min }) => {
    const chosen = widths[id] ?? width
    return chosen === undefined
      ? `minmax(${min ?? FLEXIBLE_LEAST}px, 1fr)`
      : `${Math.max(min ?? LEAST, chosen)}px`
  })
  // The last line of the head and of the rows reaches the edge even when every width is fixed.
  return parts.some((part) => part.endsWith('1fr)')) ? parts.join(' ') : `${parts.join(' ')} 1fr`
}

/** Where the selection goes with a key; `undefined` when the key means nothing to a list. */
export function nextIndex(
  key: string,
  index: number,
  count: number,
  page: number,
): number | undefined {
  const last = count - 1
  if (last < 0) return undefined
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    j: index + 1,
    ArrowUp: index - 1,
    k: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: last,
  }
  const next = steps[key]
  return next === undefined ? undefined : Math.min(last, Math.max(0, next))
}
