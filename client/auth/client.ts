// Implements `client.auth`. Combines the session calls with the calls for sign-in, account and second factors.
import type { Environment } from '../environment.ts'
import { type ServerTime, saysExpired } from '../server-time.ts'
import type { TextStorage } from '../text-storage.ts'
import { type AccountCalls, accountCalls } from './account.ts'
import type { AuthApi, UserApi } from './api.ts'
import { attempt, type Result, toAuthError } from './errors.ts'
import { type AuthListener, createAuthEvents } from './events.ts'
import { type MfaCalls, mfaCalls } from './mfa.ts'
import { readReturn } from './page-return.ts'
import { createRefresher, noSession, type Refresher } from './refresh.ts'
import type { Session } from './session.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'
import {
  keepSignIn,
  NOT_SIGNED_IN,
  owing,
  type SecondStepOwed,
  type SignInCalls,
  type SignInResult,
  signInCalls,
} from './sign-in.ts'
import { createTabLock } from './tab-lock.ts'

/** A listener that can be removed. */
export interface Subscription {
  unsubscribe(): void
}

/** Result of `initialize`: the session, or the second step that a sign-in still needs. */
export type PageStart =
  | { readonly session: Session | null; readonly mfa_required: false }
  | SecondStepOwed

/** Calls for the session. */
export interface SessionCalls {
  /**
   * Call `initialize` once when a page starts. `initialize` completes or reports a sign-in that returns to this page, with
   * `?code=` or with the tokens of a magic link. It also removes the sign-in's parameters from the page's address. Call
   * `mfa.verify` with `mfa_token` when the result has `mfa_required`. `initialize` returns the current session, as `getSession`
   * does, when no sign-in returns to the page.
   */
  initialize(): Promise<Result<PageStart, { session: null; mfa_required: false }>>
  /** Returns the session. Renews the session first when it expires within a minute. */
  getSession(): Promise<Result<{ session: Session | null }, { session: null }>>
  /** Renews the session now, even when `autoRefreshToken` is false. */
  refreshSession(): SignInResult
  /** Signs in with given tokens, e.g. of a magic link. Immediately exchanges the tokens for new ones. */
  setSession(tokens: {
    readonly refresh_token: string
    readonly access_token?: string
  }): SignInResult
  /** Calls `listener` with INITIAL_SESSION, then after every change of the session in any tab. */
  onAuthStateChange(listener: AuthListener): {
    readonly data: { readonly subscription: Subscription }
  }
  /**
   * Ends sessions of the user. `local` ends this session, `global` ends all sessions, `others` ends all sessions except this
   * one.
   */
  signOut(options?: { readonly scope?: 'local' | 'global' | 'others' }): Promise<Result<null>>
  /** Returns the credential for data, storage and realtime, or null when no user is signed in. */
  getDataPlaneToken(): Promise<Result<{ token: string | null }, { token: null }>>
}

/** Signs users in and out, and manages their account. Each call resolves to `{ data, error }`. */
export interface AuthClient extends SessionCalls, SignInCalls, AccountCalls {
  readonly mfa: MfaCalls
}

export interface AuthClientDeps {
  readonly api: AuthApi
  readonly environment: Environment
  readonly storage: TextStorage
  /** Whether other tabs or clients can use the same storage. */
  readonly shared: boolean
  /** Name under which the session is stored. */
  readonly name: string
  readonly automatic: boolean
  readonly serverTime: Pick<ServerTime, 'ahead'>
}

/**
 * Calls `use` with the current session, and once more with the next session when the platform says that this session has expired.
 * @throws {AuthError}
 */
export type ActingAsUser = <Value>(
  use: (session: Session | undefined) => Promise<Value>,
) => Promise<Value>

export interface AuthParts {
  readonly auth: AuthClient
  /** Sessions for requests to other services. */
  readonly sessions: Pick<Refresher, 'current' | 'replace'>
  readonly acting: ActingAsUser
  /** Renews the session when its renewal is due. */
  readonly check: () => void
  /** Stops timers and listeners. */
  readonly close: () => void
}

export function createAuthClient(deps: AuthClientDeps): AuthParts {
  const { api, environment, storage, name, automatic, serverTime } = deps
  const events = createAuthEvents(environment.reportError)
  const tabs = deps.shared
    ? environment.joinTabs(name, storage, () => void refresher.check())
    : undefined
  const store = createSessionStore({
    storage,
    name,
    clock: environment.clock,
    serverTime,
    announce: () => tabs?.announce(),
    onChange(event, kept) {
      refresher.schedule(kept)
      if (event !== undefined) events.emit(event, kept?.session ?? null)
    },
  })
  const lock = createTabLock({ ...deps, name: `${name}.lock` })
  const { clock } = environment
  const refresher = createRefresher({ store, lock, api, clock, serverTime, automatic })
  const acting = actingAsUser(refresher)
  const asUser: UserApi = (method, path, body) =>
    acting((session) => {
      if (session === undefined) throw noSession()
      return api({ method, path, body, bearer: session.access_token })
    })
  const verifierName = `${name}.verifier`
  const signIn = signInCalls({ ...deps, store, verifierName })
  const stopWatching = environment.watchWaking(() => void refresher.check())
  void refresher.check()

  return {
    auth: {
      ...sessionCalls({ ...deps, store, refresher, asUser, events, signIn, verifierName }),
      ...signIn,
      ...accountCalls({ api, asUser, store, refresher, automatic }),
      mfa: mfaCalls({ api, asUser, store }),
    },
    sessions: refresher,
    acting,
    check: () => void refresher.check(),
    close() {
      refresher.stop()
      stopWatching()
      tabs?.close()
    },
  }
}

function actingAsUser({ current, replace }: Refresher): ActingAsUser {
  return async (use) => {
    const session = await current()
    try {
      return await use(session)
    } catch (failure) {
      const { message, status } = toAuthError(failure)
      const hasExpired = session !== undefined && saysExpired(status, message)
      const next = hasExpired ? await replace(session) : undefined
      if (next === undefined) throw failure
      return use(next)
    }
  }
}

interface SessionDeps extends Pick<AuthClientDeps, 'api' | 'environment' | 'storage'> {
  readonly verifierName: string
  readonly store: SessionStore
  readonly refresher: Refresher
  readonly asUser: UserApi
  readonly events: ReturnType<typeof createAuthEvents>
  readonly signIn: SignInCalls
}

function sessionCalls(deps: SessionDeps): SessionCalls {
  const { api, store, refresher, asUser, events } = deps
  const getSession: SessionCalls['getSession'] = () =>
    attempt({ session: null }, async () => ({ session: (await refresher.current()) ?? null }))
  const setSession: SessionCalls['setSession'] = ({ refresh_token }) =>
    attempt(NOT_SIGNED_IN, async () => {
      const path = '/auth/v1/token/refresh'
      return keepSignIn(store, await api({ method: 'POST', path, body: { refresh_token } }))
    })
  let initialized: ReturnType<SessionCalls['initialize']> | undefined

  return {
    initialize() {
      initialized ??= attempt({ session: null, mfa_required: false }, async () => {
        const owed = await completeReturn(deps, setSession)
        return owed ?? { session: (await refresher.current()) ?? null, mfa_required: false }
      })
      return initialized
    },
    getSession,
    refreshSession: () =>
      attempt(NOT_SIGNED_IN, async () => {
        const session = await refresher.renew()
        return { user: session.user, session, mfa_required: false }
      }),
    setSession,
    onAuthStateChange(listener) {
      const initial = async (): Promise<Session | null> => (await getSession()).data.session
      return { data: { subscription: { unsubscribe: events.subscribe(listener, initial) } } }
    },
    signOut: ({ scope = 'local' } = {}) =>
      attempt(null, async () => {
        try {
          await asUser('POST', '/auth/v1/signout', { scope })
        } catch (failure) {
          if (!isOver(failure)) throw failure
        } finally {
          if (scope !== 'others') await store.clear()
        }
        return null
      }),
    getDataPlaneToken: () =>
      attempt({ token: null }, async () => ({
        token: (await refresher.current())?.data_plane_token ?? null,
      })),
  }
}

// Whether the failure means that the session has already ended. `signOut` treats such a failure as success.
function isOver(failure: unknown): boolean {
  const { code, status } = toAuthError(failure)
  return code === 'session_missing' || status === 401
}

// An application may use `?code=` for its own purposes. The library handles the code only when a sign-in was started on this
// device.
async function completeReturn(
  { environment: { addressBar }, storage, verifierName, signIn }: SessionDeps,
  setSession: SessionCalls['setSession'],
): Promise<SecondStepOwed | undefined> {
  const found = addressBar && readReturn(addressBar.href)
  if (addressBar === undefined || found === undefined) return undefined
  if (found.kind === 'code' && (await storage.getItem(verifierName)) === null) return undefined
  addressBar.replace(found.cleanUrl)
  if (found.kind === 'refusal') {
    await storage.removeItem(verifierName)
    throw found.error
  }
  if (found.kind === 'secondStep')
    return owing(
      found.mfaToken,
      found.factorIds.map((id) => ({ id })),
    )
  const { data, error } =
    found.kind === 'code'
      ? await signIn.exchangeCodeForSession(found.code)
      : await setSession({ refresh_token: found.refreshToken })
  if (error !== null) throw error
  return data.mfa_required ? data : undefined
}
