// Shapes that requests about rows share: names, cells, filters, orders (contract/explain.ts, contract/tables.ts).
import { z } from 'zod'
import type { RowFilter } from '../contract/explain.ts'

/** Text that Postgres can hold. */
export const storable = z
  .string()
  .refine((text) => !text.includes('\0'), 'must have no NUL')
  .refine((text) => text.isWellFormed(), 'must have no half characters')

/** Postgres cuts names to 63 bytes. */
const columnName = storable.min(1).max(63)

/** A row, or a row's key, by column: texts as Postgres reads them. */
export const cells = z.record(columnName, storable.nullable())

/** As REST takes values: JSON, with strings as Postgres reads them. */
export const newRow = z.record(columnName, z.json())

/** A `RowFilter`. */
export const rowFilter = z
  .strictObject({
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
  .transform(({ value, ...rest }): RowFilter => (value === undefined ? rest : { ...rest, value }))

/** An order of rows. */
export const rowOrder = z.strictObject({
  column: columnName,
  descending: z.boolean().default(false),
})
