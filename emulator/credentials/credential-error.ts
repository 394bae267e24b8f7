// The precise reason why a credential was refused. Services translate it to their own dialect.
import { EmulatorError, type ErrorFacts } from '../core/errors.ts'

/**
 * `missing`: nothing presented · `malformed`: not a credential at all, or a wrong signature · `expired` · `revoked`: an
 * older key version, a revoked or unknown key · `userGone`: its user was deleted or banned · `offline`: the project is deleted, purged or gone · `wrongKind`: a sound
 * credential of a kind that this route does not accept.
 */
export type CredentialFlaw =
  | 'missing'
  | 'malformed'
  | 'expired'
  | 'revoked'
  | 'userGone'
  | 'offline'
  | 'wrongKind'

export class CredentialError extends EmulatorError {
  override readonly code: CredentialFlaw

  constructor(flaw: CredentialFlaw, message: string, facts: ErrorFacts = {}) {
    super(message, facts)
    this.code = flaw
  }
}
