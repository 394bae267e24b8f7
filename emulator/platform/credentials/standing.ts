// Interface that reports whether the user of a credential was banned or deleted. assembly/ connects it to the end-user service.
import type { SchemaName } from '../../core/names.ts'

export type UserStanding = 'good' | 'banned' | 'deleted'

/** The data_plane_token of a deleted or banned user is refused immediately (docs/wire/credentials.md#data-plane-token). */
export interface UserStandings {
  standingOf(schemaName: SchemaName, userId: string): UserStanding | Promise<UserStanding>
}

/** Accepts the user of every verified token, for use without an end-user service. */
export const EVERYONE_IN_GOOD_STANDING: UserStandings = { standingOf: () => 'good' }
