// Parses JSON from another process within bounds, because deep nesting overflows the stack and many values fill the memory.
import { type JsonValue, parseJson } from '../../core/json.ts'
import { excessOf } from '../../core/json-depth.ts'
import { JSON_BOUNDS } from './answer-bounds.ts'
import { AnswerError } from './answer-error.ts'

/** Returns `undefined` for text that is not JSON. @param origin for messages @throws {AnswerError} `too_complex` */
export function readJson(origin: string, text: string): JsonValue | undefined {
  requireSimple(origin, text)
  return parseJson(text)
}

/**
 * Checks text that the caller parses later. Ignores text that is not JSON.
 * @throws {AnswerError} `too_complex`
 */
export function requireSimple(origin: string, text: string): void {
  const excess = /^\s*[[{]/.test(text) ? excessOf(text, JSON_BOUNDS) : undefined
  if (excess === undefined) return
  const what =
    excess === 'levels'
      ? `nested deeper than ${JSON_BOUNDS.levels} levels`
      : `with more than ${JSON_BOUNDS.values.toLocaleString('en')} values`
  throw new AnswerError('too_complex', `${origin} sent JSON ${what}.`, {
    hint: 'Request less, or check the program at this address.',
  })
}
