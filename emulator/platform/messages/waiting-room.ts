// Lets requests wait for a message. Each waiting request searches again after every announcement. A waiting request stops at
// its deadline, when its caller disconnects, or when the room closes.
import type { Clock } from '../../core/clock.ts'
import { EmulatorError } from '../../core/errors.ts'

export interface WaitOptions {
  /** Wall-clock milliseconds until the wait ends. */
  readonly timeoutMillis: number
  /** Ends the wait when its caller disconnects. */
  readonly signal?: AbortSignal
}

export interface WaitingRoom {
  /**
   * Returns the result of `find`, at once or after a later announcement; `undefined` after the timeout.
   * @throws {WaitingError}
   */
  wait<Found>(find: () => Found | undefined, options: WaitOptions): Promise<Found | undefined>
  announce(): void
  /** Ends all waits without a result. */
  close(): void
}

/** Too many requests wait already. */
export class WaitingError extends EmulatorError {
  override readonly code = 'too_many_waiting'
}

interface Visitor {
  look(): void
  leave(): void
}

/** @param places maximum number of waiting requests */
export function createWaitingRoom(wallClock: Clock, places: number): WaitingRoom {
  const visitors = new Set<Visitor>()

  function enter<Found>(
    find: () => Found | undefined,
    { timeoutMillis, signal }: WaitOptions,
  ): Promise<Found | undefined> {
    return new Promise((resolve, reject) => {
      function leave(): void {
        visitors.delete(visitor)
        stopTimer()
        signal?.removeEventListener('abort', visitor.leave)
      }
      function settle(found: Found | undefined): void {
        leave()
        resolve(found)
      }
      const visitor: Visitor = {
        look: () => {
          try {
            const found = find()
            if (found !== undefined) settle(found)
          } catch (error) {
            // Only the caller of this wait gets the error. The sender of the message and the other waiting callers do not.
            leave()
            reject(error)
          }
        },
        leave: () => settle(undefined),
      }
      const stopTimer = wallClock.after(timeoutMillis, visitor.leave)
      signal?.addEventListener('abort', visitor.leave, { once: true })
      visitors.add(visitor)
    })
  }

  return {
    wait: async (find, options) => {
      const found = find()
      if (found !== undefined || options.timeoutMillis <= 0 || options.signal?.aborted === true)
        return found
      if (visitors.size >= places)
        throw new WaitingError(`${places} callers are waiting for messages already.`, {
          hint: 'Wait with fewer requests at a time, or list the mailbox instead.',
        })
      return enter(find, options)
    },
    announce: () => {
      for (const visitor of [...visitors]) visitor.look()
    },
    close: () => {
      for (const visitor of [...visitors]) visitor.leave()
    },
  }
}
