// Why a channel's postgres_changes cannot be had, in upstream's words (docs/wire/realtime.md#subscription-errors).
import { EmulatorError, type ErrorFacts } from '../../../core/errors.ts'

export type SubscriptionErrorCode =
  /** The request says nothing that could be had. */
  | 'malformed_request'
  /** No such table, or one without row-level security. */
  | 'table_unavailable'
  /** A column or a value does not fit the table. */
  | 'request_refused'

/** A refusal that reaches the client as a `system` message; the channel stays joined. */
export class SubscriptionError extends EmulatorError {
  override readonly code: SubscriptionErrorCode

  constructor(code: SubscriptionErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts)
    this.code = code
  }
}
