// The listeners for sign-ins and sign-outs (docs/wire/auth.md#client-events). Each first gets the current session.
import type { Session } from './session.ts'

export type SessionEvent = 'SIGNED_IN' | 'SIGNED_OUT' | 'TOKEN_REFRESHED' | 'USER_UPDATED'

export type AuthEvent = 'INITIAL_SESSION' | SessionEvent

/** Called with the session as it is after the event; `null` without a signed-in user. */
export type AuthListener = (event: AuthEvent, session: Session | null) => void

export interface AuthEvents {
  /** `initial` gives the session of INITIAL_SESSION; events wait until the listener got it. */
  subscribe(listener: AuthListener, initial: () => Promise<Session | null>): () => void
  emit(event: SessionEvent, session: Session | null): void
}

/** @param reportError takes the exceptions of listeners, which stop neither the library nor the other listeners */
export function createAuthEvents(reportError: (failure: unknown) => void): AuthEvents {
  // An async listener fails by its promise, whatever the type of its result says.
  const tell = (listener: AuthListener, event: AuthEvent, session: Session | null): void => {
    new Promise((resolve) => resolve(listener(event, session))).catch(reportError)
  }
  const subscribers = new Set<AuthListener>()
  return {
    subscribe(listener, initial) {
      let waiting: (() => void)[] | undefined = []
      const subscriber: AuthListener = (event, session) => {
        if (waiting === undefined) tell(listener, event, session)
        else waiting.push(() => tell(listener, event, session))
      }
      subscribers.add(subscriber)
      void initial().then((session) => {
        const late = waiting ?? []
        waiting = undefined
        if (!subscribers.has(subscriber)) return
        tell(listener, 'INITIAL_SESSION', session)
        for (const deliver of late) if (subscribers.has(subscriber)) deliver()
      })
      return () => subscribers.delete(subscriber)
    },
    emit(event, session) {
      for (const subscriber of [...subscribers]) subscriber(event, session)
    },
  }
}
