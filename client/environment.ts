// Wraps the globals that the library uses: time, randomness, storage, locks, other tabs and the address bar. No other file of
// the library uses these globals.

import { joinTabs, type TabChannel } from './tab-channel.ts'
import type { TextStorage } from './text-storage.ts'

export interface ClientClock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /**
   * Runs `task` after `delay` milliseconds. A pending task does not keep a Node process alive. Returns a function that cancels
   * the task.
   */
  after(delay: number, task: () => void): () => void
  /** Waits `delay` milliseconds. The wait keeps a Node process alive. */
  pause(delay: number): Promise<void>
}

/** The operations on the page's address that sign-ins need. */
export interface AddressBar {
  readonly href: string
  /** Loads `url` in place of this page. */
  go(url: string): void
  /** Shows `url` in the address bar without loading it. */
  replace(url: string): void
}

export interface Environment {
  readonly clock: ClientClock
  randomBytes(count: number): Uint8Array
  readonly fetch: typeof fetch
  /** The page's `localStorage`. Node has none, and some browser settings forbid it. */
  readonly storage: TextStorage | undefined
  /**
   * Web Locks. Pages without a secure origin have none. Node's locks are not used, because they don't reach other processes.
   */
  readonly locks: Pick<LockManager, 'request'> | undefined
  readonly addressBar: AddressBar | undefined
  /** Runs `onChange` when another user of `storage` has changed `name`. */
  joinTabs(name: string, storage: TextStorage, onChange: () => void): TabChannel
  /** Runs `onWake` when the page becomes visible or online again. Returns a function that stops the watching. */
  watchWaking(onWake: () => void): () => void
  /** Reports an exception thrown by the application's own callback, without ending the current call. */
  reportError(failure: unknown): void
}

/** Returns the milliseconds since the Unix epoch of a header such as Date; `undefined` when the header is missing or malformed. */
export function instantOf(header: string | null): number | undefined {
  const millis = Date.parse(header ?? '')
  return Number.isNaN(millis) ? undefined : millis
}

/** Returns the environment of the running page or process. */
export function ambientEnvironment(): Environment {
  const storage = usableLocalStorage()
  return {
    clock: {
      now: () => Date.now(),
      after,
      pause: (delay) => new Promise((resolve) => setTimeout(resolve, delay)),
    },
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    fetch: (input, init) => fetch(input, init),
    storage,
    locks: isNode() ? undefined : globalThis.navigator?.locks,
    addressBar: addressBar(),
    joinTabs: (name, kept, onChange) => joinTabs(name, kept, onChange, storage),
    watchWaking,
    reportError: reportFailure,
  }
}

// The page's `reportError` passes the exception to the page's error tracking. Outside a page, `reportError` could end the
// process, so the exception is only logged.
function reportFailure(failure: unknown): void {
  if ('document' in globalThis && typeof globalThis.reportError === 'function') reportError(failure)
  else console.error(failure)
}

function after(delay: number, task: () => void): () => void {
  const timer: unknown = setTimeout(task, delay)
  // A timer keeps a Node process alive until `unref` is called. Timers in browsers have no `unref`.
  if (timer instanceof Object && 'unref' in timer && timer.unref instanceof Function) timer.unref()
  return () => clearTimeout(timer as ReturnType<typeof setTimeout>)
}

function isNode(): boolean {
  return !('document' in globalThis || 'WorkerGlobalScope' in globalThis)
}

// Reading `localStorage` throws when cookies are forbidden. Writing to it throws when the quota is zero. Node's own
// `localStorage` prints a warning, so the library uses only a page's `localStorage`.
function usableLocalStorage(): Storage | undefined {
  if (typeof document === 'undefined') return undefined
  try {
    const probe = 'tenantry.probe'
    localStorage.setItem(probe, '')
    localStorage.removeItem(probe)
    return localStorage
  } catch {
    return undefined
  }
}

function addressBar(): AddressBar | undefined {
  if (typeof document === 'undefined') return undefined
  return {
    get href() {
      return location.href
    },
    go: (url) => location.assign(url),
    replace: (url) => history.replaceState(history.state, '', url),
  }
}

function watchWaking(onWake: () => void): () => void {
  if (typeof document === 'undefined') return () => undefined
  const listener = (): void => {
    if (document.visibilityState === 'visible') onWake()
  }
  document.addEventListener('visibilitychange', listener)
  addEventListener('online', listener)
  return () => {
    document.removeEventListener('visibilitychange', listener)
    removeEventListener('online', listener)
  }
}
