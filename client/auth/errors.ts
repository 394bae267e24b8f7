// How a call fails: never by throwing, always as `error` beside `data`, with the platform's code and HTTP status.

/** Codes of failures without a server's answer; all others are the platform's own. */
export type LocalErrorCode =
  | 'network_error'
  | 'session_missing'
  | 'pkce_verifier_missing'
  | 'unexpected_answer'
  | 'unexpected_failure'

/** A refused or failed call. */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  /** The platform's code, e.g. `invalid_credentials`, or one of `LocalErrorCode`. */
  readonly code: string
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** Field → problem, where the platform says it. */
  readonly details: unknown

  constructor(
    code: string,
    message: string,
    { status = 0, details, cause }: { status?: number; details?: unknown; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.details = details
  }
}

/** A failure of the library's own, without an HTTP status. */
export function localError(code: LocalErrorCode, message: string, cause?: unknown): AuthError {
  return new AuthError(code, message, { cause })
}

/** What every call resolves to. A failed call has `Empty` as `data`, so that it can be destructured without a check. */
export type Result<Value, Empty = null> =
  | { readonly data: Value; readonly error: null }
  | { readonly data: Empty; readonly error: AuthError }

/** Runs `call` and gives its value or its failure. */
export async function attempt<Value, Empty>(
  empty: Empty,
  call: () => Promise<Value>,
): Promise<Result<Value, Empty>> {
  try {
    return { data: await call(), error: null }
  } catch (failure) {
    return { data: empty, error: toAuthError(failure) }
  }
}

/** The failure as an `AuthError`; an unexpected one (a storage that throws) keeps its text. */
export function toAuthError(failure: unknown): AuthError {
  if (failure instanceof AuthError) return failure
  const text = failure instanceof Error ? failure.message : String(failure)
  return localError('unexpected_failure', text, failure)
}
