// A connection to each project's database beside those of the pool. It is open while the pool has connections to the project, or
// longer, and must end with them when a project is evicted.
import type { PlatformScope } from '../../engine.ts'

export interface Companion {
  /** Resolves when the companion is open, or could not be opened. No work of the project begins before. */
  opening(project: PlatformScope): Promise<void>
  /** Called when the pool's last connection to the project has ended. */
  emptied(project: PlatformScope): void
  /** Ends the companion until `admitted` is called. */
  evict(project: PlatformScope): Promise<void>
  /** Called when connections to an evicted project may open again. */
  admitted(project: PlatformScope): void
}
