// The exact reason why a credential was refused. Services translate it to their own error format.
import { EmulatorError, type ErrorFacts } from '../../core/errors.ts'

export type CredentialFlaw =
  | 'missing' // The request has no credential.
  | 'malformed' // The text is not a credential, or its signature is wrong.
  | 'expired'
  | 'revoked' // The key is unknown, was revoked or has an older key version.
  | 'userGone' // The user was deleted or banned.
  | 'offline' // The project is offline, deleted or purged.
  | 'wrongKind' // The credential is valid, but the route does not accept its kind.

export class CredentialError extends EmulatorError {
  override readonly code: CredentialFlaw

  constructor(flaw: CredentialFlaw, message: string, facts: ErrorFacts = {}) {
    super(message, facts)
    this.code = flaw
  }
}
