// Lets only one tab at a time run a task. The lock uses Web Locks where available, otherwise a lease in the storage that the
// tabs share.
import type { Environment } from '../environment.ts'
import type { TextStorage } from '../text-storage.ts'
import { isRecord, parseJson } from './session.ts'

/** Runs `task` while no other tab runs a task under the same name. */
export type TabLock = <Value>(task: () => Promise<Value>) => Promise<Value>

export interface TabLockDeps {
  readonly environment: Pick<Environment, 'clock' | 'locks' | 'randomBytes'>
  readonly storage: TextStorage
  /** Whether other tabs or clients can use the same storage. */
  readonly shared: boolean
  readonly name: string
}

/**
 * A tab holds the lock this many milliseconds longer than its task runs. The reason: other processes see a write to a page's
 * storage with a delay.
 */
const SETTLING = 100
/**
 * Milliseconds between writing a lease and checking that no other tab overwrote it. The pause is longer than a write takes to
 * become visible (Fischer's mutual exclusion protocol).
 */
const DOUBT = 60
/** Milliseconds between checks of another tab's lease. */
const WAIT = 40
/**
 * Lifetime of a lease in milliseconds. A lease limits the wait for a tab that was closed, so it lasts longer than any request.
 */
const LEASE = 20_000

export function createTabLock(deps: TabLockDeps): TabLock {
  const { locks } = deps.environment
  if (!deps.shared) return (task) => task()
  return locks === undefined ? storageLock(deps) : webLock(locks, deps)
}

function webLock(locks: Pick<LockManager, 'request'>, { environment, name }: TabLockDeps): TabLock {
  return (task) =>
    new Promise((resolve, reject) => {
      const granted = async (): Promise<void> => {
        await task().then(resolve, reject)
        await new Promise<void>((settled) => environment.clock.after(SETTLING, settled))
      }
      locks.request(name, granted).catch(reject)
    })
}

function storageLock({ environment, storage, name }: TabLockDeps): TabLock {
  const { clock } = environment
  const owner = Array.from(environment.randomBytes(12), (byte) => byte.toString(36)).join('.')

  const holder = async (): Promise<string | undefined> => {
    const lease = parseLease(await storage.getItem(name))
    const left = (lease?.until ?? 0) - clock.now()
    // A remaining time above LEASE means that the device's clock was set back. Such a lease counts as expired.
    return left > 0 && left <= LEASE ? lease?.owner : undefined
  }
  const acquire = async (): Promise<void> => {
    for (;;) {
      if ((await holder()) === undefined) {
        await storage.setItem(name, JSON.stringify({ owner, until: clock.now() + LEASE }))
        await clock.pause(DOUBT)
        if ((await holder()) === owner) return
      }
      await clock.pause(WAIT)
    }
  }
  const release = async (): Promise<void> => {
    if ((await holder()) === owner) await storage.removeItem(name)
  }

  return async (task) => {
    await acquire()
    try {
      return await task()
    } finally {
      clock.after(SETTLING, () => void release().catch(() => undefined))
    }
  }
}

interface Lease {
  readonly owner: string
  /** Milliseconds since the Unix epoch. */
  readonly until: number
}

function parseLease(text: string | null): Lease | undefined {
  const lease = parseJson(text)
  if (!isRecord(lease)) return undefined
  const { owner, until } = lease
  return typeof owner === 'string' && typeof until === 'number' ? { owner, until } : undefined
}
