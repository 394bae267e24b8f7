// The root of every refusal in the project. Each layer has its own subclass with a closed union of codes;
// server/edge.ts is the only place where one becomes a response.

export interface ErrorFacts {
  readonly details?: string
  readonly hint?: string
  readonly cause?: unknown
  /** Seconds after which the caller may try again; set when the platform itself was not able to do the work. */
  readonly retryAfterSeconds?: number
}

/** Postgres's words as a sentence: a capital at the start, a full stop at the end. */
export function asSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** The refusal in `error`, or behind it as a cause, that says when the caller may try again. */
export function retryableIn(error: unknown): EmulatorError | undefined {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof EmulatorError && each.retryAfterSeconds !== undefined) return each
  return undefined
}

/** A refusal with a stable machine code, a sentence for people and, where there is one, what to do. */
export abstract class EmulatorError extends Error {
  abstract readonly code: string
  readonly details: string | undefined
  readonly hint: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = new.target.name
    this.details = facts.details
    this.hint = facts.hint
    this.retryAfterSeconds = facts.retryAfterSeconds
  }
}
