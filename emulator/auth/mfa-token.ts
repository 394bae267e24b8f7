// The token that stands for "the password was right, the second factor is still owed": spent by POST /auth/v1/mfa/verify
// (docs/wire/auth.md#mfa).
import type { SchemaName } from '../core/names.ts'
import { MINUTE_MILLIS } from '../core/time.ts'
import { issueToken, type TokenDeps } from './one-time-codes.ts'
import type { AuthMethod } from './sessions.ts'

export const MFA_TOKEN_MILLIS: number = 5 * MINUTE_MILLIS

/** Mints one; `facts.method` of its row says how the user proved the first factor. */
export function mintMfaToken(
  deps: TokenDeps,
  schemaName: SchemaName,
  userId: string,
  method: AuthMethod,
): Promise<string> {
  return issueToken(deps, schemaName, {
    purpose: 'mfa',
    userId,
    target: undefined,
    redirectTo: undefined,
    facts: { method },
    lifetimeMillis: MFA_TOKEN_MILLIS,
  })
}
