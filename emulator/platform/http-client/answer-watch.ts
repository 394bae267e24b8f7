// Enforces the bounds of one answer while it arrives, for every transport. Counts its bytes, and ends an answer that does not
// start, is too slow or takes too long.
import type { Cancel, Clock } from '../../core/clock.ts'
import {
  type AnswerBounds,
  MAX_BYTES_VARIABLE,
  MAX_PERIODS,
  MIN_PERIOD_BYTES,
  PERIOD_VARIABLE,
} from './answer-bounds.ts'
import { AnswerError } from './answer-error.ts'

export interface AnswerWatch {
  /**
   * Call this method when the head of the answer arrived. A `stream` may have any length and pace, but fails after one period
   * without a byte.
   */
  answered(kind: 'whole' | 'stream'): void
  /** @throws {AnswerError} `too_long` */
  received(bytes: number): void
  /** Ends the watch. Call this method once the answer is complete or the request has failed. */
  stop(): void
}

export interface WatchOptions {
  readonly bounds: AnswerBounds
  readonly wallClock: Clock
  /** Origin of the other process, for error messages. */
  readonly origin: string
  /**
   * Called before a request without an answer fails. When the result is true, the other process still answers other requests, and
   * the wait continues.
   */
  readonly isAlive?: (() => Promise<boolean>) | undefined
  /** Called at most once. The callback must end the request. */
  readonly onFailure: (error: AnswerError) => void
}

export function watchAnswer(options: WatchOptions): AnswerWatch {
  const { bounds, isAlive, onFailure, origin, wallClock } = options
  const { maxBytes, periodMillis } = bounds
  let cancel: Cancel = () => {}
  let isStopped = false
  let isStream = false
  let periods = 0
  let sizeBytes = 0
  let periodBytes = 0

  const stop = (): void => {
    isStopped = true
    cancel()
  }
  const after = (task: () => void): void => {
    cancel()
    if (!isStopped) cancel = wallClock.after(periodMillis, task)
  }
  const fail = (code: 'no_first_byte' | 'too_slow', what: string): void => {
    if (isStopped) return
    stop()
    onFailure(new AnswerError(code, `${origin} ${what}.`, { hint: SLOW_HINT }))
  }
  /** Waits another period and then calls `next` when the other process is alive; otherwise calls `failure`. */
  const unlessAlive = (next: () => void, failure: () => void): void => {
    if (isAlive === undefined) failure()
    else isAlive().then((alive) => (alive ? after(next) : failure()), failure)
  }
  const awaitFirst = (): void =>
    unlessAlive(awaitFirst, () =>
      fail('no_first_byte', `sent no answer within ${periodMillis / 1_000} s`),
    )
  const measure = (): void => {
    periods += 1
    const enough = isStream ? 1 : MIN_PERIOD_BYTES
    const slow = (): void =>
      fail('too_slow', `sent only ${periodBytes} bytes of its answer in ${periodMillis / 1_000} s`)
    if (!isStream && periods >= MAX_PERIODS)
      fail('too_slow', `did not end its answer within ${(periodMillis * MAX_PERIODS) / 1_000} s`)
    else if (periodBytes >= enough) after(measure)
    else if (isStream) unlessAlive(measure, slow)
    else slow()
    periodBytes = 0
  }
  after(awaitFirst)
  return {
    answered: (kind) => {
      isStream = kind === 'stream'
      after(measure)
    },
    received: (bytes) => {
      sizeBytes += bytes
      periodBytes += bytes
      if (!isStream && sizeBytes > maxBytes) throw tooLong(origin, maxBytes)
    },
    stop,
  }
}

const SLOW_HINT = `Check the program at this address and the connection. For a slow one, set ${PERIOD_VARIABLE} to more seconds.`

function tooLong(origin: string, maxBytes: number): AnswerError {
  return new AnswerError('too_long', `${origin} sent more than ${maxBytes >> 20} MB.`, {
    hint: `Request less, or set ${MAX_BYTES_VARIABLE} to more megabytes.`,
  })
}
