// The steps of a check: requests and frames, each with the answer that it must cause. Steps are data; `run/` carries them out.
import { isJsonObject } from '../../../core/json.ts'
import type { Plane } from '../../traffic/har/har.ts'
import { type Pattern, TEXT } from './patterns.ts'

export interface WireRequest {
  readonly plane: Plane
  readonly method: string
  /** Path below the base address of the plane. */
  readonly path: string
  readonly bearer?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent unchanged, instead of `json`. */
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData
}

/** The answer to a request. A received frame is a reply, too, with its content in `body`. */
export interface Reply {
  /** 0 when no answer arrived; `text` then has the reason. */
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly bytes: Buffer
  /** The parsed JSON; `undefined` for an empty body, the text for every other body. */
  readonly body: unknown
}

/** What an answer must have. Names of headers are in lower case, and `undefined` means that the header must be missing. */
export interface Expected {
  readonly status: Pattern
  readonly headers?: Readonly<Record<string, Pattern>>
  readonly body?: Pattern
}

export type Step =
  | { readonly kind: 'request'; readonly request: WireRequest; readonly expected: Expected }
  /** Opens a socket. Later steps of the same check refer to the socket by its name. */
  | {
      readonly kind: 'open'
      readonly socket: string
      readonly path: string
      readonly headers: Readonly<Record<string, string>>
      readonly expected: Expected
    }
  | { readonly kind: 'frame'; readonly socket: string; readonly frame: string | Uint8Array }
  /** Waits for a frame that matches the pattern. `isNext` means that no other frame may arrive before it. */
  | {
      readonly kind: 'receive'
      readonly socket: string
      readonly pattern: Pattern
      readonly isNext: boolean
    }
  /** Waits until the server closes the socket with this close code. */
  | { readonly kind: 'closed'; readonly socket: string; readonly code: number }
  /** Compares a value from earlier answers with a pattern, such as the claims of a token. */
  | {
      readonly kind: 'hold'
      readonly what: string
      readonly value: unknown
      readonly pattern: Pattern
    }

/** The steps of a check: a list, or a generator that receives the reply to each step. */
export type Steps = Iterable<Step, unknown, Reply>

/** A part of a check's steps. It returns a value that other steps use. */
export type Part<Value> = Generator<Step, Value, Reply>

/** Thrown when an answer lacks a value that a later step needs. */
export class MissingValueError extends Error {
  readonly at: string

  constructor(at: string) {
    super(`the answer has no ${at}`)
    this.name = 'MissingValueError'
    this.at = at
  }
}

/** A request with what its answer must have. */
export function send(
  request: WireRequest,
  status: Pattern,
  body?: Pattern,
  headers?: Expected['headers'],
): Step {
  return {
    kind: 'request',
    request,
    expected: {
      status,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    },
  }
}

/** A request that management, auth or a token endpoint refuses with this code (docs/wire/errors.md#management). */
export function refused(request: WireRequest, status: number, code: Pattern): Step {
  return send(request, status, { error: { code, message: TEXT } })
}

export function hold(what: string, value: unknown, pattern: Pattern): Step {
  return { kind: 'hold', what, value, pattern }
}

/** Reads a string of an answer. @throws {MissingValueError} */
export function textAt({ body }: Reply, ...names: readonly string[]): string {
  const value = valueAt(body, names)
  if (typeof value !== 'string') throw new MissingValueError(names.join('.'))
  return value
}

/** Reads a number of an answer. @throws {MissingValueError} */
export function numberAt({ body }: Reply, ...names: readonly string[]): number {
  const value = valueAt(body, names)
  if (typeof value !== 'number') throw new MissingValueError(names.join('.'))
  return value
}

function valueAt(body: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return value[Number(name)]
    return isJsonObject(value) ? value[name] : undefined
  }, body)
}
