// The developer's account owns what the emulator creates, and its session can read every key. Signing in requires what the
// emulator's own API requires: the admin token where one is set, else a caller on this machine.
import type { OwnerId } from '../../core/names.ts'
import { carriesAdminToken } from '../../credentials/admin-token.ts'
import { ManagementError } from '../errors.ts'

export interface DeveloperAccount {
  readonly id: OwnerId
  readonly adminToken: string | undefined
}

/** The caller of a sign-in. */
export interface SignInCaller {
  /** The header `Authorization`, as it came. */
  readonly authorization: string | undefined
  readonly isRemote: boolean
}

/** Refuses before the password is checked, so that a refusal reveals nothing about it. @throws {ManagementError} */
export function admitToDeveloperAccount(
  { adminToken }: DeveloperAccount,
  { authorization, isRemote }: SignInCaller,
): void {
  if (adminToken === undefined ? !isRemote : carriesAdminToken(authorization, adminToken)) return
  throw new ManagementError(
    'admin_token_required',
    adminToken === undefined
      ? 'This account does not sign in from another machine while no admin token is set.'
      : 'This account signs in only with the admin token.',
    {
      hint: 'Start with --admin-token and send "Authorization: Bearer <admin token>".',
      headers: { 'www-authenticate': 'Bearer' },
    },
  )
}
