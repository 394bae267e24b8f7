// The errors of one dialect: their codes with status and meaning, and how a fault produces one.
import type { FaultOutcome } from '../../core/fault.ts'

/** One error of the catalogue. */
export interface CodeFacts {
  readonly status: number
  /** When the platform returns this code. */
  readonly sentence: string
}

/** Facts of the request that an error can mention. */
export interface FaultedRequest {
  readonly faultId: string
  readonly operation: string
  readonly method: string
  readonly target: string
  readonly headers: Headers
}

export interface ErrorSource {
  readonly codes: Readonly<Record<string, CodeFacts>>
  /** The outcome that produces one of `codes`. */
  make(code: string, request: FaultedRequest): FaultOutcome
}

/** A failure that no service handles. The HTTP edge responds with 500 and a trace id. */
export class InjectedError extends Error {
  constructor(faultId: string) {
    super(`fault ${faultId} orders an internal failure`)
    this.name = 'InjectedError'
  }
}

export function thrown(error: unknown): FaultOutcome {
  return { kind: 'error', error }
}

/** Facts of every code of `table`, in its order. */
export function factsOf<Code extends string>(
  codes: readonly Code[],
  describe: (code: Code) => CodeFacts,
): Readonly<Record<string, CodeFacts>> {
  return Object.fromEntries(codes.map((code) => [code, describe(code)]))
}

/** `code` as one of `table`'s own keys. @throws {TypeError} for a code that the table lacks */
export function keyIn<Table extends object>(table: Table, code: string): keyof Table & string {
  if (Object.hasOwn(table, code)) return code as keyof Table & string
  throw new TypeError(`no error ${code} can be made here`)
}
