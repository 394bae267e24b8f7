// The interfaces that end-user authentication needs; assembly/ provides their implementations.

import type { Clock } from '../../core/clock.ts'
import type { IdSource } from '../../core/id-source.ts'
import type { SigningKeys } from '../../platform/credentials/signing-keys.ts'
import type { Verifier } from '../../platform/credentials/verify.ts'
import type { Outbox } from '../../platform/messages/message.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import type { AuthSettingsStore } from './auth-settings.ts'
import type { AuthTables } from './auth-tables.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { RevokedUsers } from './users/revoked-users.ts'

export interface AuthDeps {
  readonly tables: AuthTables
  readonly sessions: Sessions
  readonly revokedUsers: RevokedUsers
  readonly settings: AuthSettingsStore
  readonly outbox: Outbox
  readonly projects: Pick<ProjectRegistry, 'findProject' | 'findProjectBySlug'>
  readonly verifier: Verifier
  readonly signingKeys: SigningKeys
  /** Platform time, used for every expiry. */
  readonly clock: Clock
  readonly ids: IdSource
}
