// Renews the session a minute before it expires. One tab renews it for all tabs (docs/wire/auth.md#refresh).
import type { ClientClock } from '../environment.ts'
import type { ServerTime } from '../server-time.ts'
import type { AuthApi } from './api.ts'
import { localError, toAuthError } from './errors.ts'
import { readSession, type Session } from './session.ts'
import type { KeptSession, SessionStore } from './session-store.ts'
import type { TabLock } from './tab-lock.ts'

/** Sessions are renewed this many milliseconds before they expire. */
const EARLY = 60_000
/** Longest timer in milliseconds. Timers stop while a device sleeps, so the client checks the time at least once a minute. */
const LONGEST_NAP = 60_000
/** Milliseconds until the next attempt after the platform could not be reached. */
const RETRY = 10_000

export interface Refresher {
  /**
   * Returns the session. Renews the session first when it is about to expire.
   * @throws {AuthError} when the session has ended, or could not be renewed before it expired
   */
  current(): Promise<Session | undefined>
  /** Renews the session now. @throws {AuthError} */
  renew(): Promise<Session>
  /**
   * Returns the successor of a session that the platform called expired. Renews the session unless another call already did.
   * Returns `undefined` when the library does not renew sessions automatically.
   * @throws {AuthError} when the session has ended
   */
  replace(expired: Session): Promise<Session | undefined>
  /** Schedules the next renewal. */
  schedule(kept: KeptSession | undefined): void
  /** Renews the session when its renewal is due. The promise never rejects. */
  check(): Promise<void>
  stop(): void
}

export interface RefresherDeps {
  readonly store: SessionStore
  readonly lock: TabLock
  readonly api: AuthApi
  readonly clock: ClientClock
  readonly serverTime: Pick<ServerTime, 'ahead'>
  /** Whether the library renews sessions automatically. */
  readonly automatic: boolean
}

export function createRefresher(deps: RefresherDeps): Refresher {
  const { store, clock, serverTime, automatic } = deps
  // A platform clock that was moved forward makes the session older than this device's clock shows.
  const movedBy = ({ ahead }: KeptSession): number =>
    Math.max(0, (serverTime.ahead ?? 0) - (ahead ?? serverTime.ahead ?? 0))
  const platformNow = (kept: KeptSession): number => clock.now() + movedBy(kept)
  const renewal = createRenewal(deps)
  let cancel = (): void => undefined
  let stopped = false

  const nap = (delay: number): void => {
    cancel()
    if (automatic && !stopped) cancel = clock.after(delay, () => void check())
  }
  const schedule = (kept: KeptSession | undefined): void => {
    cancel()
    if (kept !== undefined) nap(Math.min(Math.max(0, dueAt(kept) - platformNow(kept)), LONGEST_NAP))
  }
  const check = async (): Promise<void> => {
    try {
      const kept = await store.read()
      if (!automatic || stopped || kept === undefined) return
      if (isDue(kept, platformNow(kept))) await renewal(kept.session.refresh_token)
      else schedule(kept)
    } catch {
      nap(RETRY)
    }
  }

  return {
    async current() {
      const kept = await store.read()
      if (kept === undefined || !automatic || !isDue(kept, platformNow(kept))) return kept?.session
      try {
        return await renewal(kept.session.refresh_token)
      } catch (failure) {
        if (hasEnded(failure) || platformNow(kept) >= endOf(kept)) throw failure
        return kept.session
      }
    },
    async renew() {
      const kept = await store.read()
      if (kept === undefined) throw noSession()
      return renewal(kept.session.refresh_token)
    },
    replace: async (expired) => (automatic ? renewal(expired.refresh_token) : undefined),
    schedule,
    check,
    stop() {
      stopped = true
      cancel()
    },
  }
}

/** The error of calls that need a session while no user is signed in. */
export function noSession(): Error {
  return localError('session_missing', 'No user is signed in.')
}

// Exchanges each refresh token only once, even when several callers and tabs request a renewal.
function createRenewal({ store, lock, api }: RefresherDeps): (spent: string) => Promise<Session> {
  let running: { readonly spent: string; readonly result: Promise<Session> } | undefined

  const exchange = async (spent: string): Promise<Session> => {
    const kept = await store.read()
    if (kept === undefined) throw noSession()
    if (kept.session.refresh_token !== spent) return kept.session
    try {
      const path = '/auth/v1/token/refresh'
      const answer = await api({ method: 'POST', path, body: { refresh_token: spent } })
      const session = readSession(answer)
      if (await store.save(session, 'TOKEN_REFRESHED', spent)) return session
    } catch (failure) {
      if (!hasEnded(failure)) throw failure
      await store.clear(spent)
      if ((await store.read()) === undefined) throw failure
    }
    // Another tab may have signed in or out meanwhile. The session of that tab is now the current one.
    const other = await store.read()
    if (other === undefined) throw noSession()
    return other.session
  }

  return (spent) => {
    if (running?.spent === spent) return running.result
    const result = lock(() => exchange(spent)).finally(() => {
      if (running?.result === result) running = undefined
    })
    running = { spent, result }
    return result
  }
}

// Whether the session has ended: the platform refused the refresh token or banned the user. A retry would fail, too.
function hasEnded(failure: unknown): boolean {
  const { status } = toAuthError(failure)
  return status === 401 || status === 403
}

function endOf({ session, receivedAt }: KeptSession): number {
  return receivedAt + session.expires_in * 1000
}

// A session that lives less than two minutes is renewed at half its lifetime, to avoid constant renewals.
function dueAt(kept: KeptSession): number {
  return endOf(kept) - Math.min(EARLY, kept.session.expires_in * 500)
}

// A renewal is also due when the device's clock was set back, because the session's age is then unknown. Clock differences of
// up to a minute are ignored.
function isDue(kept: KeptSession, now: number): boolean {
  return now >= dueAt(kept) || now < kept.receivedAt - EARLY
}
