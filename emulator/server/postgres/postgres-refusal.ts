// Errors of the Postgres port itself, with Postgres's codes.
import { EmulatorError, type ErrorFacts } from '../../core/errors.ts'

export type PostgresRefusalCode =
  | '08P01' /* protocol_violation */
  | '0A000' /* feature_not_supported */
  | '28000' /* invalid_authorization_specification */
  | '28P01' /* invalid_password */
  | '53300' /* too_many_connections */
  | '57P01' /* admin_shutdown */
  | 'XX000' /* internal_error */

export class PostgresRefusal extends EmulatorError {
  override readonly code: PostgresRefusalCode

  constructor(code: PostgresRefusalCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts)
    this.code = code
  }
}
