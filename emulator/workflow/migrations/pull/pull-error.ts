// Errors in a caller's order for a pull. Failed calls to the platform are a `RemoteError`.
import { EmulatorError, type ErrorFacts } from '../../../core/errors.ts'

export type PullErrorCode =
  | 'unknown_table'
  | 'unknown_column'
  | 'masked_key'
  | 'cannot_mask'
  | 'needs_table'
  | 'wrong_group'

export class PullError extends EmulatorError {
  override readonly code: PullErrorCode

  constructor(code: PullErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts)
    this.code = code
  }
}
