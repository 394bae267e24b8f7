// Describes the errors of one dialect: its codes, and the function that creates the error of a code for a fault.
import type { FaultOutcome } from '../../../core/fault.ts'
import type { HeaderReader } from '../../../core/headers.ts'
import { type RefusalFacts, type RefusalTable, rowOf } from '../../../core/refusals.ts'

/** Facts of the request that an error's text can contain. */
export interface FaultedRequest {
  readonly faultId: string
  readonly operation: string
  readonly method: string
  readonly target: string
  readonly headers: HeaderReader
}

export interface ErrorSource {
  readonly codes: Readonly<Record<string, RefusalFacts>>
  /** Creates the outcome that makes a request fail with one of `codes`. @throws {TypeError} for another code */
  make(code: string, request: FaultedRequest): FaultOutcome
}

/** An error that no service handles, so the HTTP edge responds with 500 and a trace id. */
export class InjectedError extends Error {
  constructor(faultId: string) {
    super(`the fault ${faultId} injected an internal failure`)
    this.name = 'InjectedError'
  }
}

/** @param create creates the error of a row. Not called for `internal`, which every service renders for an unexpected error */
export function errorSource<Code extends string, Row extends RefusalFacts>(
  table: RefusalTable<Code, Row>,
  create: (code: Exclude<Code, 'internal'>, row: Row, request: FaultedRequest) => Error,
): ErrorSource {
  return {
    codes: table,
    make: (code, request) => {
      const row = rowOf<Row>(table, code)
      if (row === undefined) throw new TypeError(`this service has no error ${code}`)
      const error =
        code === 'internal'
          ? new InjectedError(request.faultId)
          : create(code as Exclude<Code, 'internal'>, row, request)
      return { kind: 'error', error }
    },
  }
}

/** Combines the errors of two sources. @param first creates the errors of codes that both sources have */
export function joined(first: ErrorSource, second: ErrorSource): ErrorSource {
  return {
    codes: { ...second.codes, ...first.codes },
    make: (code, request) =>
      (Object.hasOwn(first.codes, code) ? first : second).make(code, request),
  }
}
