// Errors of the client. Calls of the client never throw. A failed call returns `error` beside `data`, with the platform's code
// and HTTP status.

/** Codes of failures without a response from the platform. All other codes come from the platform. */
export type LocalErrorCode =
  | 'network_error'
  | 'session_missing'
  | 'pkce_verifier_missing'
  | 'unexpected_answer'
  | 'unexpected_failure'

/** The error of a refused or failed call. */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  /** The platform's code, e.g. `invalid_credentials`, or a `LocalErrorCode`. */
  readonly code: string
  /** HTTP status, or 0 when no response arrived. */
  readonly status: number
  /** Maps a field to its problem, when the platform sends details. */
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

/** Creates an error for a failure inside the library, without an HTTP status. */
export function localError(code: LocalErrorCode, message: string, cause?: unknown): AuthError {
  return new AuthError(code, message, { cause })
}

/** Result of every call. `data` is `Empty` after a failure, so that callers can destructure `data` without a check. */
export type Result<Value, Empty = null> =
  | { readonly data: Value; readonly error: null }
  | { readonly data: Empty; readonly error: AuthError }

/** Runs `call` and returns its value or its failure as a `Result`. */
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

/** Converts a failure to an `AuthError`. Unexpected failures, e.g. of the storage, keep their message. */
export function toAuthError(failure: unknown): AuthError {
  if (failure instanceof AuthError) return failure
  const text = failure instanceof Error ? failure.message : String(failure)
  return localError('unexpected_failure', text, failure)
}
