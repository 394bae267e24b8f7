// /_emulator/v1/projects/:ref/users: a project's end users.
//   GET    …/users?limit=&offset=&search=   newest first; `search` is a part of an e-mail address or telephone number
//   POST   …/users                          NewProjectUser → 201 ProjectUser; no message is sent
//   GET    …/users/:id                      ProjectUserDetail; `:id` may be an e-mail address
//   PATCH  …/users/:id {banned_until}       a ban holds until an instant of platform time; `null` lifts it
//   DELETE …/users/:id                      the user and everything the platform keeps of it
//   DELETE …/users/:id/sessions             ends all of them → UserSessionsEnded
//   DELETE …/users/:id/sessions/:session    ends one → UserSessionsEnded
// The user's last codes and links: GET /_emulator/v1/mailbox?project=…&to=…; sign in as: POST /_emulator/v1/principals.

export interface ProjectUser {
  readonly id: string
  readonly email: string | null
  readonly phone: string | null
  /** ISO 8601 UTC, as all instants here. */
  readonly email_confirmed_at: string | null
  readonly phone_confirmed_at: string | null
  readonly last_sign_in_at: string | null
  readonly banned_until: string | null
  readonly role: 'authenticated'
  readonly user_metadata: Readonly<Record<string, unknown>>
  readonly app_metadata: Readonly<Record<string, unknown>>
  readonly identities: readonly Readonly<Record<string, unknown>>[]
  readonly factors: readonly Readonly<Record<string, unknown>>[]
  readonly created_at: string
  readonly updated_at: string
}

export interface ProjectUserPage {
  readonly users: readonly ProjectUser[]
  /** How many there are on all pages. */
  readonly total: number
}

export interface ProjectUserDeleted {
  readonly deleted: true
  readonly sessions_revoked: number
  readonly identities_deleted: number
}

/** An e-mail address or a telephone number, or both. */
export interface NewProjectUser {
  readonly email?: string
  readonly phone?: string
  /** `true` unless told. */
  readonly email_confirmed?: boolean
  /** `true` unless told. */
  readonly phone_confirmed?: boolean
  /** As strong as the project's settings want it; without one the user signs in by code, link or provider. */
  readonly password?: string
  readonly user_metadata?: Readonly<Record<string, unknown>>
}

export interface ProjectUserDetail extends ProjectUser {
  readonly has_password: boolean
  /** Newest first, at most 100. */
  readonly sessions: readonly UserSession[]
}

export interface UserSession {
  readonly id: string
  readonly aal: 'aal1' | 'aal2'
  /** `{method, timestamp}`, timestamps in epoch seconds. */
  readonly amr: readonly Readonly<Record<string, unknown>>[]
  readonly user_agent: string | null
  readonly created_at: string
  readonly refreshed_at: string | null
  /** `null`: it still stands. */
  readonly revoked_at: string | null
}

export interface UserSessionsEnded {
  readonly sessions_revoked: number
}
