// Sizes and names that the grid's pieces share. Pixels. Pure.
import type { Cursor } from '../../parts/grid-cursor.ts'

export const ROW_HEIGHT = 28
export const GUTTER_WIDTH = 36

/** The element that the grid's keyboard stands on. */
export function cellId({ row, column }: Cursor): string {
  return `cell-${row}-${column}`
}
