// Reads and changes the signed-in user's own record and password (docs/wire/auth.md#user).
import type { AuthApi } from './api.ts'
import { attempt, type Result } from './errors.ts'
import type { Refresher } from './refresh.ts'
import { readUser, type User } from './session.ts'
import type { SessionStore } from './session-store.ts'
import type { Sent } from './sign-in.ts'

export interface UserChanges {
  /** Members to merge into the user's metadata. */
  readonly data?: Readonly<Record<string, unknown>>
  readonly password?: string
  /** Required to change the password of a user who already has one. */
  readonly current_password?: string
  /** New e-mail address. The platform refuses to change it. */
  readonly email?: string
}

export interface DeletedUser {
  readonly deleted: true
  readonly sessions_revoked: number
  readonly identities_deleted: number
}

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
  readonly store: SessionStore
  readonly refresher: Refresher
  readonly automatic: boolean
  /** Returns the signed-in user's access_token. @throws {AuthError} `session_missing` */
  readonly bearer: () => Promise<string>
}

export function accountCalls(deps: AccountDeps): AccountCalls {
  const { api, store, bearer } = deps
  return {
    getUser: () =>
      attempt({ user: null }, async () => ({
        user: readUser(await api({ method: 'GET', path: '/auth/v1/user', bearer: await bearer() })),
      })),
    updateUser: (changes) =>
      attempt({ user: null }, async () => {
        const user = await change(deps, changes)
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
      attempt(null, () =>
        api({
          method: 'POST',
          path: '/auth/v1/password/reset',
          body: { token, new_password: password },
        }),
      ),
    deleteUser: () =>
      attempt(null, async () => {
        const answer = await api({
          method: 'DELETE',
          path: '/auth/v1/user',
          bearer: await bearer(),
        })
        await store.clear()
        return answer as DeletedUser
      }),
  }
}

// Changes the password before the other members, because the platform may refuse the password.
async function change(
  { api, bearer }: AccountDeps,
  { password, current_password, ...rest }: UserChanges,
): Promise<User> {
  if (password !== undefined) {
    const answer = await api({
      method: 'PUT',
      path: '/auth/v1/user/password',
      body: { new_password: password, current_password },
      bearer: await bearer(),
    })
    if (Object.keys(rest).length === 0) return readUser(answer)
  }
  return readUser(
    await api({ method: 'PATCH', path: '/auth/v1/user', body: rest, bearer: await bearer() }),
  )
}
