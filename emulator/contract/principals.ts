// POST /_emulator/v1/principals: mints any project credential, so that tests and tools can act as anyone.

export interface MintPrincipalRequest {
  /** `proj_<slug>`, the slug or the project's id. */
  readonly project: string
  readonly role: 'anon' | 'service_role' | 'authenticated'
  /** For `authenticated`: a user's id or e-mail address; an unknown one is refused unless it is a UUID. */
  readonly user?: string
  /** Further claims, e.g. `user_metadata`, `app_metadata`, `aal`. */
  readonly claims?: { readonly [name: string]: unknown }
}

export interface MintPrincipalAnswer {
  readonly token: string
  readonly role: string
  readonly subject: string
  /** Seconds; `null` for keys, which do not expire. */
  readonly expires_in: number | null
}
