// Where the keyboard's cursor goes in a grid of rows and columns. Pure.

export interface Cursor {
  /** -1 while no row is chosen. */
  readonly row: number
  readonly column: number
}

export interface GridSize {
  readonly rows: number
  /** 0 when the cursor chooses rows as a whole. */
  readonly columns: number
  /** Rows that Page Down passes. */
  readonly page: number
}

/** The cell a key leads to; the same cursor at an edge, `undefined` for a key that moves nothing. `isWhole`: with Ctrl. */
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

/** The nearest cell that exists. */
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
