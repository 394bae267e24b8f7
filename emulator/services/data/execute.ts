// Runs a compiled plan as the caller, in one transaction, and reads its single result row. Checks conditions on the result, such
// as the number of rows, before the commit.

import type { HeaderReader } from '../../core/headers.ts'
import { principalSettings } from '../../database/as-principal.ts'
import {
  cellText,
  type Engine,
  type Postcondition,
  RESULT_TOO_LARGE,
  SqlError,
  type WorkResult,
} from '../../database/engine.ts'
import { quoteIdentifier, type Sql } from '../../database/sql.ts'
import { DataError } from './errors.ts'
import { RefusedByDatabase, refusalFromSql } from './from-sql-error.ts'
import type { RowsPlan } from './plan/plan.ts'
import type { ApiRequest, DataRequest } from './request/api-request.ts'
import type { Preferences } from './request/preferences.ts'
import type { DataSettings } from './settings.ts'
import type { PreparedRows } from './shape-memory.ts'
import { COLUMN } from './sql/compile-plan.ts'
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

/** @throws {RefusedByDatabase | DataError} PGRST115, 116 or 124 when the result violates a condition */
export async function execute(
  engine: Pick<Engine, 'run'>,
  request: DataRequest,
  { request: parsed, plan, compiled }: PreparedRows,
): Promise<RowsResult> {
  const { preRequest, main, explainCount } = compiled
  const { caller, settings } = request
  const { preferences } = parsed
  const mainIndex = preRequest === undefined ? 0 : 1
  const bounds = rowBoundsOf(plan, parsed)
  const work = await runInTransaction(engine, request, {
    ...transactionSettings(settings, caller.role, plan),
    mode: plan.mode,
    statements: [preRequest, main, explainCount].filter((statement) => statement !== undefined),
    preferences,
    returnsRows: returnsRows(parsed, plan),
    // A read has no changes to roll back, so refuseOutside checks its result after the transaction.
    postcondition:
      plan.mode === 'readOnly' || bounds.length === 0
        ? undefined
        : { statement: mainIndex, column: COLUMN.pageTotal, ...rangeOf(bounds) },
  })
  const result = plan.media.kind === 'plan' ? explanation(work, mainIndex) : rowsOf(work, mainIndex)
  if (plan.media.kind !== 'plan') refuseOutside(bounds, result.pageTotal)
  if (explainCount === undefined) return result
  const planned = plannedRows(work, mainIndex + 1)
  return { ...result, total: estimated(preferences, settings, result.total, planned) }
}

/** The parts of the transaction that carries a request out. */
export interface TransactionParts extends TransactionSettings {
  readonly mode: RowsPlan['mode']
  readonly statements: readonly Sql[]
  readonly preferences: Preferences
  /** A write that returns no rows needs no size limit, and no check of its result before the commit. */
  readonly returnsRows: boolean
  readonly postcondition?: Postcondition | undefined
}

/** Runs statements in one transaction as the caller, with the request's settings. @throws {RefusedByDatabase} */
export async function runInTransaction(
  engine: Pick<Engine, 'run'>,
  { caller, settings, method, path, headers, chosen, isAnonymous, signal, requestId }: DataRequest,
  parts: TransactionParts,
): Promise<WorkResult> {
  const { mode, statements, timeoutMillis, postcondition } = parts
  const { transaction, timeZone } = parts.preferences
  const { headerText, cookieText } = headerTexts(headers)
  const isBounded = parts.returnsRows && settings.maxResultBytes !== undefined
  try {
    return await engine.run({
      actor: caller,
      settings: principalSettings(caller, {
        method,
        path,
        headers: headerText,
        cookies: cookieText,
        timeZone,
        searchPath: [chosen.schema, ...settings.extraSearchPath].map(quoteIdentifier).join(', '),
        isolation: parts.isolation,
        ofRole: parts.ofRole,
        others: { ...parts.ofRoutine, ...settings.appSettings },
      }),
      mode,
      statements,
      end: transaction ?? settings.txEnd,
      timeoutMillis,
      maxResultBytes: isBounded ? settings.maxResultBytes : undefined,
      refusesLargeResults: isBounded,
      requestId,
      postcondition,
      signal,
    })
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    if (error.code === RESULT_TOO_LARGE) throw resultTooLarge(settings, error)
    throw new RefusedByDatabase(refusalFromSql(error, isAnonymous), error)
  }
}

function returnsRows({ action, preferences }: ApiRequest, { mode }: RowsPlan): boolean {
  return (
    mode === 'readOnly' || action.kind === 'call' || preferences.representation === 'representation'
  )
}

// Limits on the number of rows that a request may return or change: PUT, single objects and `max-affected` (PostgREST, "Singular
// or Plural", "Max Affected", "Upsert").
interface RowBounds {
  readonly min: number
  readonly max: number
  refusal(count: number): DataError | RefusedByDatabase
}

// All limits that apply to a request. The first violated limit determines the error.
function rowBoundsOf(plan: RowsPlan, request: ApiRequest): readonly RowBounds[] {
  const { handler, media } = plan
  if (plan.kind === 'mutate' && plan.mutation === 'singleUpsert') return [ROW_OF_URL]
  if (media.kind === 'geojson' && handler.kind === 'geojson' && !handler.hasGeometry)
    return [NO_GEOMETRY]
  const affected = maxAffected(plan, request)
  return [
    ...(media.kind === 'object' ? [SINGLE] : []),
    ...(affected === undefined ? [] : [affected]),
  ]
}

// Combines all limits into one minimum and one maximum.
function rangeOf(bounds: readonly RowBounds[]): { min: number; max: number } {
  return {
    min: Math.max(...bounds.map(({ min }) => min)),
    max: Math.min(...bounds.map(({ max }) => max)),
  }
}

/** @throws {DataError | RefusedByDatabase} PGRST115, 116, 124 */
function refuseOutside(bounds: readonly RowBounds[], count: number): void {
  for (const { min, max, refusal } of bounds) if (count < min || count > max) throw refusal(count)
}

const ROW_OF_URL: RowBounds = {
  min: 1,
  max: 1,
  refusal: () =>
    new DataError('PGRST115', 'Payload values do not match URL in primary key column(s)'),
}

const SINGLE: RowBounds = {
  min: 1,
  max: 1,
  refusal: (count) =>
    new DataError('PGRST116', 'Cannot coerce the result to a single JSON object', {
      details: `The result contains ${count} rows`,
    }),
}

// The error that PostGIS raises for a row without a geometry. Without PostGIS, every row causes this error.
const NO_GEOMETRY: RowBounds = {
  min: 0,
  max: 0,
  refusal: () => {
    const error = new SqlError('22023', 'geometry column is missing')
    return new RefusedByDatabase(refusalFromSql(error, false), error)
  },
}

function maxAffected(plan: RowsPlan, { preferences }: ApiRequest): RowBounds | undefined {
  const { maxAffected: max, handling } = preferences
  const isBounded = plan.kind === 'call' || (plan.kind === 'mutate' && plan.mutation !== 'insert')
  if (max === undefined || handling !== 'strict' || !isBounded) return undefined
  return {
    min: 0,
    max,
    refusal: (count) =>
      new DataError('PGRST124', 'Query result exceeds max-affected preference constraint', {
        details: `The query affects ${count} rows`,
      }),
  }
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

function headerTexts(headers: HeaderReader): { headerText: string; cookieText: string } {
  const { cookie, ...others } = Object.fromEntries(headers)
  return {
    headerText: asText(JSON.stringify(others)),
    cookieText: cookie === undefined ? '{}' : asText(JSON.stringify(cookiesOf(cookie))),
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

function plannedRows(work: WorkResult, index: number): number | undefined {
  const text = cellText(work.results[index]?.rows[0]?.[0]) ?? ''
  const planned = /"Plan Rows": (\d+)/.exec(text)?.[1]
  return planned === undefined ? undefined : Number(planned)
}

// Returns the planner's estimate. If the request has `count=estimated`, the database counts up to `maxRows` rows exactly.
function estimated(
  { count }: Preferences,
  { maxRows }: DataSettings,
  total: number | undefined,
  planned: number | undefined,
): number | undefined {
  if (count === 'planned') return planned
  const isOver = maxRows !== undefined && (total ?? 0) > maxRows
  return isOver && total !== undefined && planned !== undefined ? Math.max(total, planned) : total
}

function numberOf(cell: Uint8Array | null | undefined): number | undefined {
  const text = cellText(cell)
  return text === undefined ? undefined : Number(text)
}
