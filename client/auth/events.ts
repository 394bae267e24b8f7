// Calls the application's listeners after sign-ins and sign-outs (docs/wire/auth.md#client-events). A new listener first gets
// the current session.
import type { Session } from './session.ts'

/** A change of the session. */
export type SessionEvent = 'SIGNED_IN' | 'SIGNED_OUT' | 'TOKEN_REFRESHED' | 'USER_UPDATED'

/** Reason for a call of a listener. */
export type AuthEvent = 'INITIAL_SESSION' | SessionEvent

/** The client calls a listener after the event, with the current session. `session` is null when no user is signed in. */
export type AuthListener = (event: AuthEvent, session: Session | null) => void

export interface AuthEvents {
  /**
   * Adds a listener. `initial` returns the session for the event INITIAL_SESSION. Later events wait until the listener received
   * INITIAL_SESSION.
   */
  subscribe(listener: AuthListener, initial: () => Promise<Session | null>): () => void
  emit(event: SessionEvent, session: Session | null): void
}

/** @param reportError receives the exceptions that listeners throw */
export function createAuthEvents(reportError: (failure: unknown) => void): AuthEvents {
  // A promise also catches the rejections of async listeners, which the listener's type does not show.
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
