// The root of every refusal in the project. Each layer has its own subclass with a closed union of codes;
// server/edge.ts is the only place where one becomes a response.

export interface ErrorFacts {
  readonly details?: string
  readonly hint?: string
  readonly cause?: unknown
}

/** A refusal with a stable machine code, a sentence for people and, where there is one, what to do. */
export abstract class EmulatorError extends Error {
  abstract readonly code: string
  readonly details: string | undefined
  readonly hint: string | undefined

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = new.target.name
    this.details = facts.details
    this.hint = facts.hint
  }
}
