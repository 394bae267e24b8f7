// Users whose tokens are refused at once although they have not expired: deleted and banned ones (docs/wire/credentials.md#data-plane-token). Kept in
// the platform's own database and in memory, because every request asks.
import type { SchemaName } from '../core/names.ts'
import type { EpochMillis } from '../core/time.ts'
import type { UserStandings } from '../credentials/standing.ts'

export interface RevokedUsers extends UserStandings {
  delete(schemaName: SchemaName, userId: string): void
  /** @param until platform time at which the ban ends; `undefined` lifts it now */
  ban(schemaName: SchemaName, userId: string, until: EpochMillis | undefined): void
  /** Forgets a purged project's users. */
  erase(schemaName: SchemaName): void
}
