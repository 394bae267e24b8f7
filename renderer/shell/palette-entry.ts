// An entry of the palette (Ctrl/Cmd+K).
import type { PaletteAction } from '../parts/palette-actions.ts'

export interface PaletteEntry extends PaletteAction {
  readonly isMono?: boolean
  /** Further words that find the entry. */
  readonly words?: string
  /**
   * A search outside the palette found this entry, such as a user or a row. The palette always shows the entry, before the
   * others.
   */
  readonly isFound?: boolean
}
