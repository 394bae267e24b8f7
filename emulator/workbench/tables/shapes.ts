// Request bodies of the tables' routes (contract/tables.ts).
import { z } from 'zod'
import { identityReference } from '../../api-kit/identities.ts'
import { cells, rowFilter, rowOrder } from '../../api-kit/row-shapes.ts'

const ROWS = { default: 100, max: 10_000 }
const MAX_EDITS = 1_000

export const rowsRequest = z.strictObject({
  identity: identityReference.nullable(),
  filters: z.array(rowFilter).max(50).default([]),
  order: z.array(rowOrder).max(20).default([]),
  limit: z.number().int().min(0).max(ROWS.max).default(ROWS.default),
  offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
})

export const rowEdits = z.strictObject({
  identity: identityReference.nullable(),
  edits: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('insert'), row: cells }),
        z.strictObject({ kind: z.literal('update'), key: cells, changes: cells }),
        z.strictObject({ kind: z.literal('delete'), key: cells }),
      ]),
    )
    .min(1)
    .max(MAX_EDITS),
})

export const fileQuery = z.strictObject({ format: z.enum(['csv', 'json']) })

export type DecodedRowsRequest = z.output<typeof rowsRequest>
export type DecodedEdit = z.output<typeof rowEdits>['edits'][number]
export type FileFormat = z.output<typeof fileQuery>['format']

/** Query of GET …/structure-diff. */
export const structureDiffQuery = z.strictObject({ with: z.string().min(1) })
