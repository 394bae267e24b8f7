// The type of the target's cases, and stored cases that once failed.
export interface AuthCase {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly bearer: 'user' | 'server' | 'spoilt' | 'none'
  readonly type: string
  /** The values of a signed-in user replace `$refresh`, `$email` and `$token`. */
  readonly body: string
}

export const AUTH_EXAMPLES: Readonly<Record<string, AuthCase>> = {}
