// Whether the people and sessions behind a credential are still good. The end-user service fills this port in layer 5.
import type { SchemaName } from '../core/names.ts'

export type UserStanding = 'good' | 'banned' | 'deleted'

/** A deleted or banned user's data_plane_token is refused at once (docs/wire/credentials.md#data-plane-token). */
export interface UserStandings {
  standingOf(schemaName: SchemaName, userId: string): UserStanding | Promise<UserStanding>
}

/** Before any end-user service exists every token that verifies is good. */
export const EVERYONE_IN_GOOD_STANDING: UserStandings = { standingOf: () => 'good' }
