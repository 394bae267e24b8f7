// Request bodies of the tables' routes (contract/tables.ts).
import { z } from 'zod'
import { identityReference } from '../identities.ts'

const ROWS = { default: 100, max: 10_000 }
const MAX_EDITS = 1_000

/** Text that Postgres can hold. */
const storable = z
  .string()
  .refine((text) => !text.includes('\0'), 'must have no NUL')
  .refine((text) => text.isWellFormed(), 'must have no half characters')

const columnName = storable.min(1).max(63)

export const rowFilter = z.strictObject({
  column: columnName,
  operator: z.enum([
    'eq',
    'neq',
    'lt',
    'lte',
    'gt',
    'gte',
    'like',
    'ilike',
    'is_null',
    'is_not_null',
  ]),
  value: storable.optional(),
})

export const rowsRequest = z.strictObject({
  identity: identityReference.nullable(),
  filters: z.array(rowFilter).max(50).default([]),
  order: z
    .array(z.strictObject({ column: columnName, descending: z.boolean().default(false) }))
    .max(20)
    .default([]),
  limit: z.number().int().min(0).max(ROWS.max).default(ROWS.default),
  offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
})

const row = z.record(columnName, storable.nullable())

export const rowEdits = z.strictObject({
  identity: identityReference.nullable(),
  edits: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('insert'), row }),
        z.strictObject({ kind: z.literal('update'), key: row, changes: row }),
        z.strictObject({ kind: z.literal('delete'), key: row }),
      ]),
    )
    .min(1)
    .max(MAX_EDITS),
})

export const fileQuery = z.strictObject({ format: z.enum(['csv', 'json']) })

export type DecodedRowsRequest = z.output<typeof rowsRequest>
export type DecodedEdit = z.output<typeof rowEdits>['edits'][number]
export type DecodedFilter = z.output<typeof rowFilter>
export type FileFormat = z.output<typeof fileQuery>['format']

/** Query of GET …/structure-diff. */
export const structureDiffQuery = z.strictObject({ with: z.string().min(1) })
