// A case of this target, and those that failed once.
export interface AuthCase {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly bearer: 'user' | 'server' | 'spoilt' | 'none'
  readonly type: string
  /** `$refresh`, `$email` and `$token` become those of a user who is signed in. */
  readonly body: string
}

export const AUTH_EXAMPLES: Readonly<Record<string, AuthCase>> = {}
