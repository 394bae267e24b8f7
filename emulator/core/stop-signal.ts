// Stops work whose caller no longer waits for the result.
import type { Writable } from 'node:stream'

/** The part of `AbortSignal` that work needs. */
export interface StopSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * Returns the signal of a client that disconnects before it has its answer. An `AbortController` for each request would cost
 * three microseconds. Callers must remove a listener before the answer is sent, because the end of the answer also calls it.
 */
export function stopSignalOf(outgoing: Writable): StopSignal {
  return {
    get aborted() {
      return outgoing.destroyed && !outgoing.writableFinished
    },
    addEventListener: (_type, listener) => {
      outgoing.on('close', listener)
    },
    removeEventListener: (_type, listener) => {
      outgoing.off('close', listener)
    },
  }
}
