// Whether the user behind a credential may still use it. assembly/ connects this port to the end-user service.
import type { SchemaName } from '../core/names.ts'

export type UserStanding = 'good' | 'banned' | 'deleted'

/** A deleted or banned user's data_plane_token is refused at once (docs/wire/credentials.md#data-plane-token). */
export interface UserStandings {
  standingOf(schemaName: SchemaName, userId: string): UserStanding | Promise<UserStanding>
}

/** For use without an end-user service: every verified token is valid. */
export const EVERYONE_IN_GOOD_STANDING: UserStandings = { standingOf: () => 'good' }
