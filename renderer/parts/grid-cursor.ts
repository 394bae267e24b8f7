// Where the keyboard stands in a grid of rows and columns. Pure.

export interface Cursor {
  readonly row: number
  readonly column: number
}

export interface GridSize {
  readonly rows: number
  readonly columns: number
  /** Rows that Page Down passes. */
  readonly page: number
}

/** The cell a key leads to; the same cursor when it leads nowhere, `undefined` when the key means nothing here. */
export function moveCursor(
  cursor: Cursor,
  key: string,
  size: GridSize,
  isWhole: boolean,
): Cursor | undefined {
  const step = stepOf(key, size, isWhole)
  if (step === undefined) return undefined
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
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return { rows: isWhole ? rows : 1, columns: 0 }
    case 'ArrowUp':
    case 'k':
      return { rows: isWhole ? -rows : -1, columns: 0 }
    case 'ArrowRight':
      return { rows: 0, columns: isWhole ? columns : 1 }
    case 'ArrowLeft':
      return { rows: 0, columns: isWhole ? -columns : -1 }
    case 'PageDown':
      return { rows: page, columns: 0 }
    case 'PageUp':
      return { rows: -page, columns: 0 }
    case 'Home':
      return { rows: isWhole ? -rows : 0, columns: -columns }
    case 'End':
      return { rows: isWhole ? rows : 0, columns }
    default:
      return undefined
  }
}
