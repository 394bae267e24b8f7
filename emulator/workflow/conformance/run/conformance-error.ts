// Why a run cannot begin, or did not end.
import { EmulatorError } from '../../../core/errors.ts'

/** The error's message is for the terminal. */
export class ConformanceError extends EmulatorError {
  override readonly code:
    | 'no_platform'
    | 'unknown_rule'
    | 'no_session'
    | 'no_group'
    | 'stopped'
    | 'not_removed'

  constructor(code: ConformanceError['code'], message: string) {
    super(message)
    this.code = code
  }
}
