// The globals that the library uses, as one value: time, randomness, storage, locks, other tabs and the address bar. No other file of
// the library names them.

import { joinTabs, type TabChannel } from './tab-channel.ts'
import type { TextStorage } from './text-storage.ts'

export interface ClientClock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Runs `task` in `delay` milliseconds. A pending task does not keep a Node process alive. Gives its cancellation. */
  after(delay: number, task: () => void): () => void
  /** Waits `delay` milliseconds; a Node process lives on meanwhile. */
  pause(delay: number): Promise<void>
}

/** The part of the page's address bar that signing in needs. */
export interface AddressBar {
  readonly href: string
  /** Leaves the page for `url`. */
  go(url: string): void
  /** Shows `url` without loading it. */
  replace(url: string): void
}

export interface Environment {
  readonly clock: ClientClock
  randomBytes(count: number): Uint8Array
  readonly fetch: typeof fetch
  /** The page's own storage; absent in Node and where the browser forbids it. */
  readonly storage: TextStorage | undefined
  /** Web Locks; absent in pages without a secure origin, and in Node, whose locks end where the process ends. */
  readonly locks: Pick<LockManager, 'request'> | undefined
  readonly addressBar: AddressBar | undefined
  /** Runs `onChange` when another user of `storage` has changed `name`. */
  joinTabs(name: string, storage: TextStorage, onChange: () => void): TabChannel
  /** Runs `onWake` when the page becomes visible or online again. Gives the cancellation. */
  watchWaking(onWake: () => void): () => void
  /** Reports an exception of the application's own code without ending the call. */
  reportError(failure: unknown): void
}

/** The environment of the running page or process. */
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

// A page's error tracking sees what is reported by the page's own function. Other processes may end by theirs.
function reportFailure(failure: unknown): void {
  if ('document' in globalThis && typeof globalThis.reportError === 'function') reportError(failure)
  else console.error(failure)
}

function after(delay: number, task: () => void): () => void {
  const timer = setTimeout(task, delay)
  unref(timer)
  return () => clearTimeout(timer)
}

// Node's timers and channels keep its process alive unless told otherwise; a browser's have no such method.
function unref(handle: unknown): void {
  if (typeof handle === 'object' && handle !== null && 'unref' in handle) {
    if (typeof handle.unref === 'function') handle.unref()
  }
}

function isNode(): boolean {
  return !('document' in globalThis || 'WorkerGlobalScope' in globalThis)
}

// Reading the property throws where cookies are forbidden; writing throws where the quota is zero. Node has a
// `localStorage` of its own that warns, so that only a page's is taken.
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
