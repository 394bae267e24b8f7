// Shortens long cells of example rows. Pure.
import { shortened } from '../../core/printable.ts'

export const MAX_CELL_CHARACTERS = 80

export function shortCell(cell: string | null): string | null {
  return cell === null ? null : shortened(cell, MAX_CELL_CHARACTERS)
}
