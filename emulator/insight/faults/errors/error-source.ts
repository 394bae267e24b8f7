// Describes the errors of one dialect: their codes with status and meaning, and the function that creates one for a fault.
import type { FaultOutcome } from '../../../core/fault.ts'
import type { HeaderReader } from '../../../core/headers.ts'
import type { JsonObject } from '../../../core/json.ts'

/** One error of the catalogue. */
export interface CodeFacts {
  readonly status: number
  /** Says when the platform returns this code. */
  readonly sentence: string
}

/** Facts of the request that an error's text can contain. */
export interface FaultedRequest {
  readonly faultId: string
  readonly operation: string
  readonly method: string
  readonly target: string
  readonly headers: HeaderReader
}

export interface ErrorSource {
  readonly codes: Readonly<Record<string, CodeFacts>>
  /** Creates the outcome that makes a request fail with one of `codes`. */
  make(code: string, request: FaultedRequest): FaultOutcome
}

/** An error that no service handles, so the HTTP edge responds with 500 and a trace id. */
export class InjectedError extends Error {
  constructor(faultId: string) {
    super(`the fault ${faultId} injected an internal failure`)
    this.name = 'InjectedError'
  }
}

export function thrown(error: unknown): FaultOutcome {
  return { kind: 'error', error }
}

/** Returns the fields and headers that management and auth add to some refusals. */
export function extrasOf(
  code: string,
  method: string,
): { readonly fields: JsonObject; readonly headers: Readonly<Record<string, string>> } {
  const fields =
    code === 'invalid_request' ? { details: { body: 'was refused by an injected fault' } } : {}
  if (code === 'unauthorized') return { fields, headers: { 'www-authenticate': 'Bearer' } }
  return { fields, headers: code === 'method_not_allowed' ? { allow: method } : {} }
}

/** Describes each code. Keeps the order of `codes`. */
export function factsOf<Code extends string>(
  codes: readonly Code[],
  describe: (code: Code) => CodeFacts,
): Readonly<Record<string, CodeFacts>> {
  return Object.fromEntries(codes.map((code) => [code, describe(code)]))
}

/** Returns `code` as a key of `table`. @throws {TypeError} when the table has no such key */
export function keyIn<Table extends object>(table: Table, code: string): keyof Table & string {
  if (Object.hasOwn(table, code)) return code as keyof Table & string
  throw new TypeError(`this service has no error ${code}`)
}
