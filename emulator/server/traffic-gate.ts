// Holds new requests while the platform's state is saved or replaced. Waits for running requests before that. Therefore no
// request sees a half-replaced state, and no request fails.

import type { Clock } from '../core/clock.ts'
import type { PlainRequest } from '../core/plain-http.ts'
import type { ServiceApp } from '../core/request-env.ts'

export interface TrafficGate {
  /** Runs `work` while no request is running. @throws the error of `onBusy` when running requests do not end */
  alone<Result>(work: () => Promise<Result>): Promise<Result>
  /** Returns the same service behind the gate. Requests for which `isFree` returns true always pass. */
  guard(app: ServiceApp, isFree?: (request: PlainRequest) => boolean): ServiceApp
}

/**
 * Wall-clock milliseconds that the gate waits for running requests. This is longer than an ordinary statement may run
 * (docs/wire/data-plane.md#transaction).
 */
const LEAVE_WITHIN_MILLIS = 10_000

export function createTrafficGate(
  wallClock: Clock,
  onBusy: (inside: number) => Error,
): TrafficGate {
  let inside = 0
  let opening: Promise<void> | undefined
  let onEmpty: (() => void) | undefined
  let turns: Promise<unknown> = Promise.resolve()

  function empty(): Promise<void> {
    if (inside === 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const cancel = wallClock.after(LEAVE_WITHIN_MILLIS, () => {
        onEmpty = undefined
        reject(onBusy(inside))
      })
      onEmpty = () => {
        onEmpty = undefined
        cancel()
        resolve()
      }
    })
  }

  async function closed<Result>(work: () => Promise<Result>): Promise<Result> {
    let open = (): void => {}
    opening = new Promise((resolve) => {
      open = resolve
    })
    try {
      await empty()
      return await work()
    } finally {
      opening = undefined
      open()
    }
  }

  async function pass<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    while (opening !== undefined) await opening
    inside += 1
    try {
      return await work()
    } finally {
      inside -= 1
      if (inside === 0) onEmpty?.()
    }
  }

  return {
    alone: (work) => {
      const turn = turns.then(() => closed(work))
      turns = turn.catch(() => {})
      return turn
    },
    guard: (app, isFree = () => false) => ({
      ...app,
      answer: (request, env) => {
        const serve = () => app.answer(request, env)
        return isFree(request) ? serve() : pass(serve)
      },
    }),
  }
}
