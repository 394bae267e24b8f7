// The base class of all errors. Each layer has a subclass with a closed union of codes. Only server/edge.ts turns errors into
// responses.

/** Further facts of an error. */
export interface ErrorFacts {
  /** Further text, such as the values at fault. */
  readonly details?: string | undefined
  /** What the caller can do. */
  readonly hint?: string | undefined
  /** The error that led to this one. */
  readonly cause?: unknown
  /** Seconds after which the caller may retry. This member is set when the platform temporarily cannot do the work. */
  readonly retryAfterSeconds?: number | undefined
}

/** Formats Postgres's message as a sentence, with a capital letter and a full stop. */
export function asSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** Returns the first error with `retryAfterSeconds` in the chain of the error and its causes. */
export function retryableIn(error: unknown): EmulatorError | undefined {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof EmulatorError && each.retryAfterSeconds !== undefined) return each
  return undefined
}

/** An error with a stable code, a message and optionally a hint. */
export abstract class EmulatorError extends Error {
  /** Stable code, which programs can compare. */
  abstract readonly code: string
  /** Further text, such as the values at fault. */
  readonly details: string | undefined
  /** What the caller can do. */
  readonly hint: string | undefined
  /** Seconds after which the caller may retry, if the platform temporarily cannot do the work. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = new.target.name
    this.details = facts.details
    this.hint = facts.hint
    this.retryAfterSeconds = facts.retryAfterSeconds
  }
}
