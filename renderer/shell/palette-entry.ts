// An entry of the palette (Ctrl/Cmd+K).
import type { PaletteAction } from '../parts/palette-actions.ts'

export interface PaletteEntry extends PaletteAction {
  readonly isMono?: boolean
  /** Further words that find the entry. */
  readonly words?: string
  /** The typed text found this entry elsewhere, so that it is always shown, before the others. */
  readonly isFound?: boolean
}
