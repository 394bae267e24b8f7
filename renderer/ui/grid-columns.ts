// The properties of a data grid and its columns, and the computation of column widths. Pure.
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

export interface DataGridProps<Row> {
  readonly label: string
  readonly columns: readonly GridColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row, index: number) => string
  /** Key of the row whose details are open. Without a cell cursor it is also where the keyboard is. */
  readonly selected?: string | undefined
  /** A click on a row, or the cursor moved to it. */
  readonly onSelect?: (key: string, row: Row) => void
  /** Enter; without a cell cursor also a double click. */
  readonly onOpen?: (row: Row) => void
  /** The cursor moves over cells, and F2 or a double click edits one, where the column has an editor. */
  readonly hasCellCursor?: boolean
  /** What further keys do with the cursor's row. */
  readonly shortcuts?: Readonly<Record<string, (row: Row) => void>>
  /** Adds a column of checkboxes; the space bar picks the cursor's row. */
  readonly picking?: GridPicking<Row>
  /** Rows that exist and are hidden from the identity appear dimmed. */
  readonly isHidden?: (row: Row) => boolean
  /** Shown over the right end of a row. */
  readonly rowEnd?: (row: Row) => ReactNode
  /** Further classes of a row, such as `animate-arrive`. */
  readonly rowClass?: (row: Row) => string | undefined
  readonly sort?: GridSort | undefined
  /** A click on the head of a column that can sort. */
  readonly onSort?: (column: string) => void
  /** Shown below the head when there are no rows. */
  readonly empty?: ReactNode
  /** Keeps the widths of columns under this name. */
  readonly name?: string
  /** In px. */
  readonly rowHeight?: number
  /** Called when the last rows come into view. */
  readonly onEnd?: () => void
  /** New rows come at the top, and the rows in view don't move when the list is scrolled. */
  readonly keepsPlace?: boolean
  /** Takes the focus when it shows, so that keys work at once. */
  readonly isFirst?: boolean
}

export interface GridPicking<Row> {
  /** Keys of rows. */
  readonly picked: ReadonlySet<string>
  readonly onPick: (picked: ReadonlySet<string>) => void
  /** What a row's checkbox is called; `Select row 3` when absent. */
  readonly labelOf?: (row: Row) => string
}

/** Of a row, in px, where the feature gives none. */
export const ROW_HEIGHT = 28
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
