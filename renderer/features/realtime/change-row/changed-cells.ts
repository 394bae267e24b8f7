// Compares the cells of a form with those of the row. Pure.
import type { RowCells } from '../../../parts/row-form.tsx'

/** Returns the cells that differ from those of the row. */
export function changedCells(before: RowCells, after: RowCells): RowCells {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value))
}
