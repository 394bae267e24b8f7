// Limits of answers that another process sends. They protect the memory and the time of the caller.
import type { JsonBounds } from '../../core/json-depth.ts'
import { AnswerError } from './answer-error.ts'

export interface AnswerBounds {
  /** Bytes of a body after decompression. */
  readonly maxBytes: number
  /**
   * Length of a period in wall-clock milliseconds. The first byte must arrive within one period, and `MIN_PERIOD_BYTES` in each
   * further period. A whole answer may take `MAX_PERIODS` periods.
   */
  readonly periodMillis: number
}

/** Minimum number of bytes in one period. The client ends a slower answer, unless the answer is a stream. */
export const MIN_PERIOD_BYTES = 16_384
export const MAX_PERIODS = 10

export const DEFAULT_BOUNDS: AnswerBounds = { maxBytes: 64 << 20, periodMillis: 60_000 }

export const JSON_BOUNDS: JsonBounds = { levels: 500, values: 2_000_000 }

export const MAX_BYTES_VARIABLE = 'TENANTRY_MAX_ANSWER_MB'
export const PERIOD_VARIABLE = 'TENANTRY_ANSWER_TIMEOUT'

/**
 * Largest values that the environment variables accept. V8 limits a string to 2^29 characters; undici ends a request without an
 * answer after 300 s.
 */
const MAX_MEGABYTES = 500
const MAX_SECONDS = 300

/** Reads the bounds from environment variables. @throws {AnswerError} `invalid_bound` */
export function boundsOf(env: Readonly<Record<string, string | undefined>>): AnswerBounds {
  const megabytes = countIn(env, MAX_BYTES_VARIABLE, MAX_MEGABYTES)
  const seconds = countIn(env, PERIOD_VARIABLE, MAX_SECONDS)
  return {
    maxBytes: megabytes === undefined ? DEFAULT_BOUNDS.maxBytes : megabytes << 20,
    periodMillis: seconds === undefined ? DEFAULT_BOUNDS.periodMillis : seconds * 1_000,
  }
}

function countIn(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  max: number,
): number | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= max) return count
  throw new AnswerError(
    'invalid_bound',
    `${name} is ${JSON.stringify(text)}, not a whole number from 1 to ${max}.`,
    {
      hint: 'Correct it, or leave it out.',
    },
  )
}
