// Reads and changes the signed-in user's own record and password (docs/wire/auth.md#user).
import type { AuthApi, UserApi } from './api.ts'
import { attempt, type Result } from './errors.ts'
import type { Refresher } from './refresh.ts'
import { readUser, type User } from './session.ts'
import type { SessionStore } from './session-store.ts'
import type { Sent } from './sign-in.ts'

/** New values of the account. */
export interface UserChanges {
  /** Members to merge into the user's metadata. */
  readonly data?: Readonly<Record<string, unknown>>
  readonly password?: string
  /** Required to change the password of a user who already has one. */
  readonly current_password?: string
  /** New e-mail address. The platform refuses to change it. */
  readonly email?: string
}

/** Result of deleting the account. */
export interface DeletedUser {
  readonly deleted: true
  readonly sessions_revoked: number
  readonly identities_deleted: number
}

/** Calls for the account of the signed-in user. */
export interface AccountCalls {
  /** Reads the user's current record from the platform. */
  getUser(): Promise<Result<{ user: User }, { user: null }>>
  /**
   * Changes the given members of the user. After a metadata change, the client renews the session so that policies see the new
   * metadata. The client does not renew the session when `autoRefreshToken` is false.
   */
  updateUser(changes: UserChanges): Promise<Result<{ user: User }, { user: null }>>
  /**
   * Sends a reset link that leads to `redirectTo` with `#token=`. The platform sends the same response for unknown addresses.
   */
  resetPasswordForEmail(
    email: string,
    options?: { readonly redirectTo?: string },
  ): Promise<Result<Sent>>
  /** Sets a new password with the token of the reset link. */
  resetPassword(request: {
    readonly token: string
    readonly password: string
  }): Promise<Result<unknown>>
  /** Deletes the user permanently and signs out. */
  deleteUser(): Promise<Result<DeletedUser>>
}

export interface AccountDeps {
  readonly api: AuthApi
  readonly asUser: UserApi
  readonly store: SessionStore
  readonly refresher: Refresher
  readonly automatic: boolean
}

export function accountCalls(deps: AccountDeps): AccountCalls {
  const { api, asUser, store } = deps
  return {
    getUser: () =>
      attempt({ user: null }, async () => ({
        user: readUser(await asUser('GET', '/auth/v1/user')),
      })),
    updateUser: (changes) =>
      attempt({ user: null }, async () => {
        const user = await change(asUser, changes)
        if (deps.automatic && changes.data !== undefined)
          await deps.refresher.renew().catch(() => undefined)
        await store.saveUser(user)
        return { user }
      }),
    resetPasswordForEmail: (email, { redirectTo } = {}) =>
      attempt(null, async () => {
        const body = { email, redirect_to: redirectTo }
        return (await api({ method: 'POST', path: '/auth/v1/password/forgot', body })) as Sent
      }),
    resetPassword: ({ token, password }) =>
      attempt(null, () => {
        const body = { token, new_password: password }
        return api({ method: 'POST', path: '/auth/v1/password/reset', body })
      }),
    deleteUser: () =>
      attempt(null, async () => {
        const answer = await asUser('DELETE', '/auth/v1/user')
        await store.clear()
        return answer as DeletedUser
      }),
  }
}

// Changes the password before the other members, because the platform may refuse the password.
async function change(
  asUser: UserApi,
  { password, current_password, ...rest }: UserChanges,
): Promise<User> {
  if (password !== undefined) {
    const body = { new_password: password, current_password }
    const answer = await asUser('PUT', '/auth/v1/user/password', body)
    if (Object.keys(rest).length === 0) return readUser(answer)
  }
  return readUser(await asUser('PATCH', '/auth/v1/user', rest))
}
