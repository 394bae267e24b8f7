// Lets only one request at a time work on a resumable upload. A new request asks the current request to end, as TUS requires
// for half-open connections. The own lock of @tus/server would spin while it waits.
import { ERRORS, type Lock, type Locker } from '@tus/server'

interface Held {
  readonly askToEnd: () => void
  readonly released: Promise<void>
  readonly release: () => void
}

export function createTusLocker(): Locker {
  const held = new Map<string, Held>()

  async function acquire(id: string, signal: AbortSignal, askToEnd: () => void): Promise<void> {
    for (let holder = held.get(id); holder !== undefined; holder = held.get(id)) {
      holder.askToEnd()
      await Promise.race([holder.released, aborted(signal)])
      // @tus/server has no error class, but recognises its errors by their members.
      if (signal.aborted) throw ERRORS.ERR_LOCK_TIMEOUT
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    held.set(id, { askToEnd, released: promise, release: resolve })
  }

  return {
    newLock: (id): Lock => ({
      lock: (signal, askToEnd) => acquire(id, signal, () => void askToEnd()),
      unlock: async () => {
        const mine = held.get(id)
        held.delete(id)
        mine?.release()
      },
    }),
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
