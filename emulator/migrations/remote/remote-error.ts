// Errors of calls to a project that runs elsewhere. The command line prints message and hint as one sentence each.
import { EmulatorError, type ErrorFacts } from '../../core/errors.ts'

export type RemoteErrorCode =
  | 'missing_key'
  | 'no_answer'
  | 'no_platform'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'refused'
  | 'sql_failed'

/**
 * `details` is the code of the platform's answer. After `no_answer`, the request may have run there: the connection ended
 * before the answer arrived.
 */
export class RemoteError extends EmulatorError {
  override readonly code: RemoteErrorCode
  /** Status of the answer, when one arrived. */
  readonly status: number | undefined

  constructor(
    code: RemoteErrorCode,
    message: string,
    { status, ...facts }: ErrorFacts & { readonly status?: number } = {},
  ) {
    super(message, facts)
    this.code = code
    this.status = status
  }
}
