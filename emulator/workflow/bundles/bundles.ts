// The interface through which routes make bundles (make-bundle.ts).
import type { BundleOrder, OpenedBundle } from '../../contract/bundles.ts'

export interface MadeBundle {
  /** Path of the file. */
  readonly path: string
  readonly sizeBytes: number
  /** Suggested file name for the recipient. */
  readonly name: string
  /** Removes the file. */
  remove(): void
}

export interface Bundles {
  /** The bundle from which this emulator was opened. */
  readonly opened: OpenedBundle | null
  /**
   * Packs a bundle into a temporary file.
   * @throws {InspectorError} `not_found` for an unknown request, `conflict` when the engine’s state cannot be packed, `busy`
   */
  make(order: BundleOrder): Promise<MadeBundle>
}
