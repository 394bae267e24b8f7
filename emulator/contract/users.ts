// /_emulator/v1/projects/:ref/users: a project's end users.
//   GET    …/users?limit=&offset=&search=   newest first; `search` is a part of an e-mail address or telephone number
//   PATCH  …/users/:id {banned_until}       a ban holds until an instant of platform time; `null` lifts it
//   DELETE …/users/:id                      the user and everything the platform keeps of it

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
