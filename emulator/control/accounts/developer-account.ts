// The account that owns what the emulator makes. Its session opens every key of it, so that signing in to it takes what the
// emulator's own API takes: the admin token where one is set, else a caller on this machine.
import type { OwnerId } from '../../core/names.ts'
import { carriesAdminToken } from '../../credentials/admin-token.ts'
import { ManagementError } from '../errors.ts'

export interface DeveloperAccount {
  readonly id: OwnerId
  readonly adminToken: string | undefined
}

/** Who asks for a session. */
export interface SignInCaller {
  /** The header `Authorization`, as it came. */
  readonly authorization: string | undefined
  readonly isRemote: boolean
}

/** Refuses before the password is looked at, so that a refusal tells nothing about it. @throws {ManagementError} */
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
