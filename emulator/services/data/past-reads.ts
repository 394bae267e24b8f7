// Reads of past rows: a GET with the header `x-tenantry-at` (docs/guide/history.md). The history implements the reads.

import { EmulatorError } from '../../core/errors.ts'
import type { Engine, TenantWork, WorkResult } from '../../database/engine.ts'
import { DataError } from './errors.ts'
import type { RowsPlan } from './plan/plan.ts'
import type { DataRequest } from './request/api-request.ts'

export interface PastReads {
  /**
   * Runs read-only work on the rows as they were. @throws {EmulatorError} `invalid_request` for an unknown instant
   */
  run(work: TenantWork, instant: string): Promise<WorkResult>
}

const HEADER = 'x-tenantry-at'

/**
 * Returns what runs the request's statements: the engine, or the past that the request names.
 * @param past absent: the emulator records no changes
 * @throws {DataError} `past_not_readable`
 */
export function readerOf(
  engine: Engine,
  past: PastReads | undefined,
  { headers }: Pick<DataRequest, 'headers'>,
  { mode }: Pick<RowsPlan, 'mode'>,
): Pick<Engine, 'run'> {
  const instant = headers.get(HEADER)
  if (instant === null || instant === undefined) return engine
  if (mode !== 'readOnly')
    throw new DataError('past_not_readable', 'Past rows can only be read.', {
      hint: `Leave the header ${HEADER} out.`,
    })
  if (past === undefined)
    throw new DataError('past_not_readable', 'This emulator does not record changes of rows.', {
      hint: 'Start it without --no-history.',
    })
  return { run: (work) => past.run(work, instant).catch(refuse) }
}

function refuse(error: unknown): never {
  if (!(error instanceof EmulatorError) || error.code !== 'invalid_request') throw error
  throw new DataError('past_not_readable', error.message, {
    cause: error,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  })
}
