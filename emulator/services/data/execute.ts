// Runs a compiled plan as the caller, in one transaction, and reads its single result row. Checks conditions on the result, such
// as the number of rows, before the commit.

import type { HeaderReader } from '../../core/headers.ts'
import type { StopSignal } from '../../core/stop-signal.ts'
import { type PrincipalWork, runAs } from '../../database/as-principal.ts'
import {
  cellText,
  type Engine,
  type Postcondition,
  RESULT_TOO_LARGE,
  SqlError,
  type WorkResult,
} from '../../database/engine.ts'
import { quoteIdentifier } from '../../database/sql.ts'
import { DataError } from './errors.ts'
import { RefusedByDatabase, refusalFromSql } from './from-sql-error.ts'
import type { RowsPlan } from './plan/plan.ts'
import type { ApiRequest } from './request/api-request.ts'
import { rangeOf, refuseOutside, rowBoundsOf } from './row-bounds.ts'
import type { DataActor, DataSettings } from './settings.ts'
import { COLUMN, type CompiledPlan } from './sql/compile-plan.ts'
import { type TransactionSettings, transactionSettings } from './transaction-settings.ts'

export interface RowsResult {
  /** Number of rows that match without limit and offset; `undefined` when the request did not ask for a count. */
  readonly total: number | undefined
  /** Number of rows in the body, or of changed rows. */
  readonly pageTotal: number
  /** Key columns of the inserted row and their filters, as JSON pairs, for the `Location` header. */
  readonly location: string | undefined
  readonly body: Uint8Array
  readonly responseHeaders: string | undefined
  readonly responseStatus: string | undefined
  /** Number of rows that an upsert inserted. */
  readonly inserted: number | undefined
}

export interface Execution {
  readonly engine: Engine
  readonly actor: DataActor
  readonly settings: DataSettings
  readonly request: ApiRequest
  readonly headers: HeaderReader
  readonly signal: StopSignal | undefined
  readonly requestId?: string | undefined
}

/** @throws {RefusedByDatabase | DataError} PGRST115, 116 or 124 when the result violates a condition */
export async function execute(
  execution: Execution,
  plan: RowsPlan,
  compiled: CompiledPlan,
): Promise<RowsResult> {
  const { preRequest, main, explainCount } = compiled
  const statements = [preRequest, main, explainCount].filter((statement) => statement !== undefined)
  const mainIndex = preRequest === undefined ? 0 : 1
  const bounds = rowBoundsOf(plan, execution.request)
  // A read has no changes to roll back, so refuseOutside checks its result after the transaction.
  const postcondition =
    plan.mode === 'readOnly' || bounds.length === 0
      ? undefined
      : { statement: mainIndex, column: COLUMN.pageTotal, ...rangeOf(bounds) }
  const { actor, settings } = execution
  const transaction = { mode: plan.mode, ...transactionSettings(settings, actor.role, plan) }
  const work = await runInTransaction(execution, transaction, statements, postcondition)
  const result = plan.media.kind === 'plan' ? explanation(work, mainIndex) : rowsOf(work, mainIndex)
  if (plan.media.kind !== 'plan') refuseOutside(bounds, result.pageTotal)
  return explainCount === undefined
    ? result
    : { ...result, total: estimated(execution, result.total, work, mainIndex + 1) }
}

export interface TransactionOptions extends TransactionSettings {
  readonly mode: RowsPlan['mode']
}

/** Runs statements in one transaction as the caller, with the request's settings. @throws {RefusedByDatabase} */
export async function runInTransaction(
  { engine, actor, settings, request, headers, signal, requestId }: Execution,
  options: TransactionOptions,
  statements: readonly CompiledPlan['main'][],
  postcondition?: Postcondition,
): Promise<WorkResult> {
  const { transaction, timeZone } = request.preferences
  const { schema } = request
  const { mode, isolation, ofRole, ofRoutine, timeoutMillis } = options
  try {
    return await runAs(engine, actor, {
      settings: {
        method: request.method,
        path: request.path,
        ...headerTexts(headers),
        timeZone,
        searchPath: [schema, ...settings.extraSearchPath].map(quoteIdentifier).join(', '),
        isolation,
        ofRole,
        others: { ...ofRoutine, ...settings.appSettings },
      },
      mode,
      statements,
      end: transaction ?? settings.txEnd,
      timeoutMillis,
      ...boundOf(settings, request, mode),
      requestId,
      postcondition,
      signal,
    })
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    if (error.code === RESULT_TOO_LARGE) throw resultTooLarge(settings, error)
    throw new RefusedByDatabase(refusalFromSql(error, actor.isAnonymous), error)
  }
}

// A write that returns no rows needs no size limit and no check of its result before the commit.
function boundOf(
  { maxResultBytes }: DataSettings,
  { action, preferences }: ApiRequest,
  mode: TransactionOptions['mode'],
): Pick<PrincipalWork, 'maxResultBytes' | 'refusesLargeResults'> {
  const isShown =
    mode === 'readOnly' || action.kind === 'call' || preferences.representation === 'representation'
  if (maxResultBytes === undefined || !isShown) return {}
  return { maxResultBytes, refusesLargeResults: true }
}

function resultTooLarge({ maxResultBytes }: DataSettings, cause: SqlError): DataError {
  return new DataError(
    'result_too_large',
    `The result is larger than ${maxResultBytes} bytes, the limit for a response. Nothing was changed.`,
    {
      hint: 'Request fewer rows (limit, Range) or columns (select), or start Tenantry with a larger --max-result.',
      cause,
    },
  )
}

function headerTexts(headers: HeaderReader): { headers: string; cookies: string } {
  const { cookie, ...others } = Object.fromEntries(headers)
  return {
    headers: asText(JSON.stringify(others)),
    cookies: cookie === undefined ? '{}' : asText(JSON.stringify(cookiesOf(cookie))),
  }
}

// In header values, each character represents one byte of UTF-8.
function asText(bytes: string): string {
  const isAscii = Buffer.byteLength(bytes) === bytes.length
  return isAscii ? bytes : Buffer.from(bytes, 'latin1').toString()
}

// Parses a `Cookie` header. A cookie without `=` gets an empty value.
function cookiesOf(header: string): Record<string, string> {
  const parts = header.split(';')
  if (parts.at(-1) === '') parts.pop()
  return Object.fromEntries(
    parts.map((part) => {
      const equals = part.indexOf('=')
      const name = equals < 0 ? part : part.slice(0, equals)
      return [name.replace(/^ +/, ''), equals < 0 ? '' : part.slice(equals + 1)]
    }),
  )
}

const NO_BYTES = new Uint8Array()
const BYTEA_OID = 17

function rowsOf(work: WorkResult, index: number): RowsResult {
  const { rows = [], fields = [] } = work.results[index] ?? {}
  const row = rows[0] ?? []
  const isBinary = fields[COLUMN.body]?.typeOid === BYTEA_OID
  return {
    total: numberOf(row[COLUMN.total]),
    pageTotal: numberOf(row[COLUMN.pageTotal]) ?? 0,
    location: cellText(row[COLUMN.location]),
    body: (isBinary ? fromHex(cellText(row[COLUMN.body])) : row[COLUMN.body]) ?? NO_BYTES,
    responseHeaders: cellText(row[COLUMN.responseHeaders]),
    responseStatus: cellText(row[COLUMN.responseStatus]),
    inserted: numberOf(row[COLUMN.inserted]),
  }
}

// Postgres returns the result of a media type handler as hexadecimal text (`\x…`).
function fromHex(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : new Uint8Array(Buffer.from(text.slice(2), 'hex'))
}

// EXPLAIN in text format returns one row per line.
function explanation(work: WorkResult, index: number): RowsResult {
  const lines = work.results[index]?.rows.map((row) => `${cellText(row[0]) ?? ''}\n`) ?? []
  return {
    ...rowsOf({ ...work, results: [] }, index),
    body: new TextEncoder().encode(lines.join('')),
  }
}

// Returns the planner's estimate. If the request has `count=estimated`, the database counts up to `maxRows` rows exactly.
function estimated(
  { request, settings }: Execution,
  total: number | undefined,
  work: WorkResult,
  index: number,
): number | undefined {
  const text = cellText(work.results[index]?.rows[0]?.[0]) ?? ''
  const planned = Number(/"Plan Rows": (\d+)/.exec(text)?.[1] ?? Number.NaN)
  const rows = Number.isNaN(planned) ? undefined : planned
  if (request.preferences.count === 'planned') return rows
  const isOver = settings.maxRows !== undefined && (total ?? 0) > settings.maxRows
  return isOver && total !== undefined && rows !== undefined ? Math.max(total, rows) : total
}

function numberOf(cell: Uint8Array | null | undefined): number | undefined {
  const text = cellText(cell)
  return text === undefined ? undefined : Number(text)
}
