// Computes the moves of the keyboard cursor in a grid. Pure.

export interface Cursor {
  /** The cursor's row, or -1 while no row is selected. */
  readonly row: number
  readonly column: number
}

export interface GridSize {
  readonly rows: number
  /** The number of columns, or 0 when the cursor selects whole rows. */
  readonly columns: number
  /** Number of rows that Page Down moves. */
  readonly page: number
}

/**
 * The cell that a key moves to. Returns the cursor unchanged at an edge, and `undefined` for other keys. `isWhole`
 * means that the user presses Ctrl.
 */
export function moveCursor(
  cursor: Cursor,
  key: string,
  size: GridSize,
  isWhole: boolean,
): Cursor | undefined {
  const step = stepOf(key, size, isWhole)
  if (step === undefined || size.rows === 0) return undefined
  return clampCursor({ row: cursor.row + step.rows, column: cursor.column + step.columns }, size)
}

/** Moves the cursor to the nearest existing cell. */
export function clampCursor(cursor: Cursor, size: Pick<GridSize, 'rows' | 'columns'>): Cursor {
  return {
    row: Math.max(0, Math.min(size.rows - 1, cursor.row)),
    column: Math.max(0, Math.min(size.columns - 1, cursor.column)),
  }
}

function stepOf(
  key: string,
  { rows, columns, page }: GridSize,
  isWhole: boolean,
): { readonly rows: number; readonly columns: number } | undefined {
  const isToEdge = isWhole || columns === 0
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return { rows: isWhole ? rows : 1, columns: 0 }
    case 'ArrowUp':
    case 'k':
      return { rows: isWhole ? -rows : -1, columns: 0 }
    case 'ArrowRight':
      return columns === 0 ? undefined : { rows: 0, columns: isWhole ? columns : 1 }
    case 'ArrowLeft':
      return columns === 0 ? undefined : { rows: 0, columns: isWhole ? -columns : -1 }
    case 'PageDown':
      return { rows: page, columns: 0 }
    case 'PageUp':
      return { rows: -page, columns: 0 }
    case 'Home':
      return { rows: isToEdge ? -rows : 0, columns: -columns }
    case 'End':
      return { rows: isToEdge ? rows : 0, columns }
    default:
      return undefined
  }
}
