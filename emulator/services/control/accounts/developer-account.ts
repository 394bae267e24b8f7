// Decides who may sign in to the developer's account, whose session can read every key. As for the emulator's own API, the caller
// needs the admin token. When no admin token is set, the caller must be on this machine.
import type { OwnerId } from '../../../core/names.ts'
import { carriesAdminToken } from '../../../platform/credentials/admin-token.ts'
import { ManagementError } from '../errors.ts'

export interface DeveloperAccount {
  readonly id: OwnerId
  readonly adminToken: string | undefined
}

/** The caller of a sign-in. */
export interface SignInCaller {
  /** The header `Authorization`, unchanged. */
  readonly authorization: string | undefined
  readonly isRemote: boolean
}

/**
 * Callers run this check before the password check, so that the error reveals nothing about the password.
 * @throws {ManagementError}
 */
export function admitToDeveloperAccount(
  { adminToken }: DeveloperAccount,
  { authorization, isRemote }: SignInCaller,
): void {
  if (adminToken === undefined ? !isRemote : carriesAdminToken(authorization, adminToken)) return
  throw new ManagementError(
    'admin_token_required',
    adminToken === undefined
      ? 'This account cannot sign in from another machine, because no admin token is set.'
      : 'This account requires the admin token to sign in.',
    {
      hint: 'Start the emulator with --admin-token, and send "Authorization: Bearer <admin token>".',
      headers: { 'www-authenticate': 'Bearer' },
    },
  )
}
