// Enforces the bounds of one answer while it arrives, for every transport. Counts its bytes, and ends a request that gets no
// first byte, an answer that trickles and one that takes too long.
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
   * Call it when the head of the answer arrived. A `stream` may have any length and pace, and fails after a period without a byte.
   */
  answered(kind: 'whole' | 'stream'): void
  /** @throws {AnswerError} `too_long` */
  received(bytes: number): void
  /** Ends the watch. Call it once the answer is complete or the request has failed. */
  stop(): void
}

export interface WatchOptions {
  readonly bounds: AnswerBounds
  readonly wallClock: Clock
  /** Origin for messages. */
  readonly origin: string
  /**
   * Asked before a silent request fails. True when the other process answers another request, so that the wait continues.
   */
  readonly isAlive?: (() => Promise<boolean>) | undefined
  /** Called at most once. It must end the request. */
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
  /** Continues with `next` when the other process is alive. */
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
