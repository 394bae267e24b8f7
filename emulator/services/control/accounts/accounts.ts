// Dashboard accounts: sign-up, login, and the developer's account that exists from the start (docs/wire/platform.md#accounts).
import { hashPassword, matchesPassword } from '../../../platform/credentials/password-hash.ts'
import type { ControlDeps } from '../deps.ts'
import { ManagementError } from '../errors.ts'
import { admitToDeveloperAccount, type SignInCaller } from './developer-account.ts'
import type { Owner } from './owners.ts'

export type AccountDeps = Pick<ControlDeps, 'ids'> & {
  readonly stores: Pick<ControlDeps['stores'], 'owners'>
}

export interface Login {
  readonly email: string
  readonly password: string
}

/** @throws {ManagementError} `email_taken` */
export async function signUp({ stores, ids }: AccountDeps, login: Login): Promise<Owner> {
  const passwordHash = await hashPassword(login.password, ids)
  const owner = stores.owners.addOwner(login.email, passwordHash)
  if (owner === undefined)
    throw new ManagementError('email_taken', 'This e-mail address already has an account.', {
      hint: 'Log in instead.',
    })
  return owner
}

/**
 * Checks e-mail address and password. Takes the same time whether or not the account exists.
 * @throws {ManagementError} `unauthorized`, `admin_token_required`
 */
export async function logIn(
  { stores, developer }: Pick<AccountDeps, 'stores'> & Pick<ControlDeps, 'developer'>,
  login: Login,
  caller: SignInCaller,
): Promise<Owner> {
  const owner = stores.owners.findOwnerByEmail(login.email)
  if (owner?.id === developer.id) admitToDeveloperAccount(developer, caller)
  const isRight = await matchesPassword(login.password, owner?.passwordHash)
  if (owner === undefined || !isRight)
    throw new ManagementError('unauthorized', 'The e-mail address or the password is wrong.')
  return owner
}

/** Creates the developer's account if needed and sets its password. Safe to repeat. */
export async function seedDeveloper({ stores, ids }: AccountDeps, login: Login): Promise<Owner> {
  const present = stores.owners.findOwnerByEmail(login.email)
  if (present === undefined) return signUp({ stores, ids }, login)
  if (await matchesPassword(login.password, present.passwordHash)) return present
  const passwordHash = await hashPassword(login.password, ids)
  stores.owners.setPasswordHash(present.id, passwordHash)
  return { ...present, passwordHash }
}
