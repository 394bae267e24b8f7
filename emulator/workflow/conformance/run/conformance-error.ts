// The error of a run that cannot begin, or that was stopped before its end.
import { EmulatorError } from '../../../core/errors.ts'

/** An error with a message that the command line prints. */
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
