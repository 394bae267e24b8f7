// The HTTP client of the commands, with the bounds that environment variables set.
import { SystemClock } from '../core/clock.ts'
import { boundsOf } from '../platform/http-client/answer-bounds.ts'
import { createHttpClient, type HttpClient } from '../platform/http-client/http-client.ts'

/** @throws {AnswerError} for an invalid variable */
export function answerClient(): HttpClient {
  return createHttpClient({ wallClock: new SystemClock(), bounds: boundsOf(process.env) })
}
