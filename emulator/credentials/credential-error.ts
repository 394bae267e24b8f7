// The exact reason why a credential was refused. Services translate it to their own error format.
import { EmulatorError, type ErrorFacts } from '../core/errors.ts'

/**
 * `missing`: the request has no credential · `malformed`: the text is not a credential, or its signature is wrong · `expired` ·
 * `revoked`: the key is unknown, revoked or of an older key version · `userGone`: the user was deleted or banned · `offline`:
 * the project is offline, deleted or purged · `wrongKind`: the credential is valid, but this route does not accept its kind.
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
