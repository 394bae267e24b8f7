// The properties of a data grid and its columns, and the computation of column widths. Pure.
import type { ReactNode } from 'react'

export interface GridColumn<Row> {
  readonly id: string
  readonly header: ReactNode
  /** The column's accessible name, when the header is not a text. */
  readonly label?: string
  /** Tooltip of the header. */
  readonly title?: string
  /** Width in px. A column without a width takes the remaining space. */
  readonly width?: number
  /** Least width in px. */
  readonly min?: number
  /** Width in px that the column takes where the grid has room to spare. */
  readonly most?: number
  /** `end` for numbers, else `start`. */
  readonly align?: 'start' | 'end'
  /** Monospace font, for machine-made values such as ids. */
  readonly isMono?: boolean
  readonly canSort?: boolean
  /** A narrow column of marks: cells are centred, and the header has no padding and no resizable edge. */
  readonly isMark?: boolean
  /** A grid without room for all columns leaves out the one with the highest number first. Absent: the column stays. */
  readonly leaves?: number
  /** The column stays at the right edge while the others scroll. Only the last column may set this property. */
  readonly isFrozen?: boolean
  readonly render: (row: Row, index: number) => ReactNode
  /** The editor covers a cell while the user edits the cell. An editor requires a cell cursor. `leave` ends editing. */
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
  /** The key of the row with open details. A grid without a cell cursor has its keyboard cursor on this row. */
  readonly selected?: string | undefined
  /** The grid calls this when the user clicks a row or moves the cursor to a row. */
  readonly onSelect?: (key: string, row: Row) => void
  /**
   * The grid calls this when the user presses Enter. A grid without a cell cursor also calls this on a double click.
   */
  readonly onOpen?: (row: Row) => void
  /** The cursor moves over cells instead of rows. F2 or a double click edits a cell if its column has an editor. */
  readonly hasCellCursor?: boolean
  /** Additional keys and their actions on the cursor's row. */
  readonly shortcuts?: Readonly<Record<string, (row: Row) => void>>
  /** The grid has a column of checkboxes. The space bar checks the cursor's row. */
  readonly picking?: GridPicking<Row>
  /** Whether the row is hidden from the identity. Hidden rows appear dimmed. */
  readonly isHidden?: (row: Row) => boolean
  /** Additional class names of a row, such as `animate-arrive`. */
  readonly rowClass?: (row: Row) => string | undefined
  readonly sort?: GridSort | undefined
  /** The grid calls this when the user clicks the header of a sortable column. */
  readonly onSort?: (column: string) => void
  /** The content below the header when the list is empty. */
  readonly empty?: ReactNode
  /** The browser stores the column widths under this name. */
  readonly name?: string
  /** Height of a row in px. */
  readonly rowHeight?: number
  /** Height of the header in px. */
  readonly headHeight?: number
  /** The grid calls this when the last rows become visible. */
  readonly onEnd?: () => void
  /** For lists with new rows at the top: keeps the visible rows in place when the user has scrolled. */
  readonly keepsPlace?: boolean
  /** The grid gets the focus when it first shows, so that keyboard shortcuts work at once. */
  readonly isFirst?: boolean
}

export interface GridPicking<Row> {
  /** Keys of the checked rows. */
  readonly picked: ReadonlySet<string>
  readonly onPick: (picked: ReadonlySet<string>) => void
  /** Accessible name of a row's checkbox; `Select row 3` when absent. */
  readonly labelOf?: (row: Row) => string
}

/** Default height of a row and of the header, in px. */
export const ROW_HEIGHT = 28
const LEAST = 40
const FLEXIBLE_LEAST = 120
const MOST = 900
export const PICK_WIDTH = 36

type Measured = Pick<GridColumn<never>, 'id' | 'width' | 'min' | 'most' | 'isFrozen' | 'leaves'>
type Widths = Readonly<Record<string, number>>

/** The least width in px that the columns need together. `widths` are the widths that the user set. */
function neededWidth(columns: readonly Measured[], widths: Widths): number {
  return columns.reduce(
    (sum, { id, width, min }) => sum + (widths[id] ?? width ?? min ?? FLEXIBLE_LEAST),
    0,
  )
}

/** Returns the columns that fit into `room` px with their least widths. `widths` are the widths that the user set. */
export function fittingColumns<Column extends Measured>(
  columns: readonly Column[],
  widths: Widths,
  room: number,
): readonly Column[] {
  const next = Math.max(...columns.map(({ leaves }) => leaves ?? 0))
  if (neededWidth(columns, widths) <= room || next <= 0) return columns
  return fittingColumns(
    columns.filter(({ leaves }) => leaves !== next),
    widths,
    room,
  )
}

/** Widens columns up to their `most` while `room` px is more than all columns need. Keeps the widths that the user set. */
export function grownColumns<Column extends Measured>(
  columns: readonly Column[],
  widths: Widths,
  room: number,
): readonly Column[] {
  let left = room - neededWidth(columns, widths)
  if (left <= 0 || columns.every(({ most }) => most === undefined)) return columns
  return columns.map((column) => {
    const { id, width, most } = column
    if (widths[id] !== undefined || width === undefined || most === undefined) return column
    const more = Math.max(0, Math.min(left, most - width))
    left -= more
    return more === 0 ? column : { ...column, width: width + more }
  })
}

/**
 * Builds a `grid-template-columns` value. `widths` are the widths that the user set. `canPick` adds the column of checkboxes.
 */
export function templateOf(columns: readonly Measured[], widths: Widths, canPick: boolean): string {
  const parts = columns.map(({ id, width, min, isFrozen }) => {
    const chosen = widths[id] ?? width
    if (chosen === undefined) return `minmax(${min ?? FLEXIBLE_LEAST}px, 1fr)`
    const fixed = `${Math.max(min ?? LEAST, Math.min(MOST, Math.round(chosen)))}px`
    // A frozen column leaves room for the other columns in a narrow grid.
    return isFrozen === true ? `min(${fixed}, 44cqw)` : fixed
  })
  if (canPick) parts.unshift(`${PICK_WIDTH}px`)
  // When all widths are fixed, an additional flexible column extends the lines of header and rows to the edge.
  return parts.some((part) => part.endsWith('1fr)')) ? parts.join(' ') : `${parts.join(' ')} 1fr`
}
