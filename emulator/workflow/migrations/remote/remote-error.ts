// Errors of calls to a platform that runs elsewhere. The command line prints message and hint as one sentence each.
import { FleetFailure, type FleetFailureKind } from '../apply/fleet.ts'

export interface RemoteFacts {
  /** `lost`: the request may have been carried out. Default: `refused`. */
  readonly kind?: FleetFailureKind
  readonly hint: string
  readonly cause?: unknown
}

/** `code` is the code of the platform's answer, or one of `missing_key`, `no_answer`, `no_platform` and `sql_failed`. */
export class RemoteError extends FleetFailure {
  constructor(code: string, message: string, { cause, hint, kind = 'refused' }: RemoteFacts) {
    super(kind, code, message, hint, cause)
  }
}
