// Limits on the number of rows that a request may return or change: PUT, single objects and `max-affected` (PostgREST, "Singular
// or Plural", "Max Affected", "Upsert"). Pure.
import { SqlError } from '../../database/engine.ts'
import { DataError } from './errors.ts'
import { RefusedByDatabase, refusalFromSql } from './from-sql-error.ts'
import type { RowsPlan } from './plan/plan.ts'
import type { ApiRequest } from './request/api-request.ts'

export interface RowBounds {
  readonly min: number
  readonly max: number
  refusal(count: number): DataError | RefusedByDatabase
}

/** All limits that apply to a request. The first violated limit determines the error. */
export function rowBoundsOf(plan: RowsPlan, request: ApiRequest): readonly RowBounds[] {
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

/** Combines all limits into one minimum and one maximum. */
export function rangeOf(bounds: readonly RowBounds[]): { min: number; max: number } {
  return {
    min: Math.max(...bounds.map(({ min }) => min)),
    max: Math.min(...bounds.map(({ max }) => max)),
  }
}

/** @throws {DataError | RefusedByDatabase} PGRST115, 116, 124 */
export function refuseOutside(bounds: readonly RowBounds[], count: number): void {
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
