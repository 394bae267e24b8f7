// Errors of requests to another process. The error code says what was wrong with the answer.
import { EmulatorError } from '../../core/errors.ts'

export type AnswerErrorCode =
  | 'invalid_bound'
  /** No connection, or the connection ended early. */
  | 'no_connection'
  | 'no_first_byte'
  | 'too_slow'
  | 'too_long'
  | 'too_complex'

/** The message is a sentence that contains the address of the other process. */
export class AnswerError extends EmulatorError {
  override readonly code: AnswerErrorCode

  constructor(
    code: AnswerErrorCode,
    message: string,
    facts: { readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super(message, facts)
    this.code = code
  }
}

/** Returns what the operating system or the HTTP client says about a failed connection, such as `ECONNREFUSED`. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return 'code' in cause && cause.message === '' ? String(cause.code) : cause.message
}
