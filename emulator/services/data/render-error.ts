// Renders the errors of the data plane: its own, those that Postgres raised, and failures (docs/wire/errors.md#data).
import { DiskFailure } from '../../core/disk-failure.ts'
import type { EmulatorError } from '../../core/errors.ts'
import type { RenderedError } from '../../core/request-env.ts'
import { DataError, refusalOf, refusalOfDisk, renderRefusal } from './errors.ts'
import { RefusedByDatabase } from './from-sql-error.ts'

/** Returns `undefined` for errors of other services. */
export function renderDataError(error: unknown): RenderedError | undefined {
  if (error instanceof DataError) return renderRefusal(refusalOf(error))
  if (error instanceof DiskFailure) return renderRefusal(refusalOfDisk(error))
  return error instanceof RefusedByDatabase ? renderRefusal(error.refusal) : undefined
}

/** Renders the response when the database could not serve the request. */
export function renderDataUnavailable({ code, message, hint }: EmulatorError): RenderedError {
  return renderRefusal({
    status: 503,
    code,
    message,
    details: null,
    hint: hint ?? null,
    headers: {},
  })
}

/** Renders an unexpected failure. The journal lists the failure under `trace`. */
export function renderDataInternal(trace: string): RenderedError {
  return renderRefusal({
    status: 500,
    code: 'internal',
    message: 'The data plane failed unexpectedly.',
    details: null,
    hint: `Look for ${trace} in the terminal or the journal, which show the cause.`,
    headers: {},
  })
}
