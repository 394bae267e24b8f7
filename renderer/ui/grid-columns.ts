// What a feature tells a grid about its columns, and the widths they get. Pure.
import type { ReactNode } from 'react'

export interface GridColumn<Row> {
  readonly id: string
  readonly header: ReactNode
  /** The column's accessible name when the header is no text. */
  readonly label?: string
  /** Tooltip of the header. */
  readonly title?: string
  /** In px; a column without one takes the width that is left. */
  readonly width?: number
  /** In px. */
  readonly min?: number
  /** Numbers align at the end. */
  readonly align?: 'start' | 'end'
  /** For values that a machine made. */
  readonly isMono?: boolean
  readonly canSort?: boolean
  readonly render: (row: Row, index: number) => ReactNode
  /** Shown over the cell while it is edited; only with a cell cursor. `leave` ends editing. */
  readonly editor?: ((row: Row, leave: () => void) => ReactNode) | undefined
}

export interface GridSort {
  readonly column: string
  readonly isDescending: boolean
}

const LEAST = 40
const FLEXIBLE_LEAST = 120
const MOST = 900
const PICK_WIDTH = 36

/** A `grid-template-columns`; `widths` are those that a person chose, `canPick` adds the column of checkboxes. */
export function templateOf(
  columns: readonly Pick<GridColumn<never>, 'id' | 'width' | 'min'>[],
  widths: Readonly<Record<string, number>>,
  canPick: boolean,
): string {
  const parts = columns.map(({ id, width, min }) => {
    const chosen = widths[id] ?? width
    return chosen === undefined
      ? `minmax(${min ?? FLEXIBLE_LEAST}px, 1fr)`
      : `${Math.max(min ?? LEAST, Math.min(MOST, Math.round(chosen)))}px`
  })
  if (canPick) parts.unshift(`${PICK_WIDTH}px`)
  // The last line of the head and of the rows reaches the edge even when every width is fixed.
  return parts.some((part) => part.endsWith('1fr)')) ? parts.join(' ') : `${parts.join(' ')} 1fr`
}
