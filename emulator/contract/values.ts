// Schemas of values that several operations share.
import { z } from 'zod'
import { epochMillis, parseInstant } from '../core/time.ts'
import { ROLES, ROW_COMMANDS, ROW_OPERATORS } from './choices.ts'
import type { Shape } from './operation.ts'

// Bodies are parsed JSON, so the schema checks nothing. The OpenAPI document does not describe the recursive type, because client
// generators would make types of it that TypeScript refuses (TS2502).
export const JsonValue: z.ZodType<z.core.util.JSONType> = z
  .custom<z.core.util.JSONType>((value) => value !== undefined, 'must be JSON')
  .describe('Any JSON value')

export const JsonObject: z.ZodType<
  Record<string, z.output<typeof JsonValue>>,
  Readonly<Record<string, unknown>>
> = z.record(z.string(), JsonValue)

/** A date and time in ISO 8601 with an offset. */
export const Instant = z.iso
  .datetime({ offset: true })
  .transform((text) => parseInstant(text) ?? epochMillis(Number.NaN))

/** A non-negative integer in a query. */
export const QueryNumber = z.coerce.number<number | string>().int().min(0)

export const Role = z.enum(ROLES)

/** Text that Postgres can store, so without NUL and lone surrogates. */
export const StorableText = z
  .string()
  .refine((text) => !text.includes('\0'), 'must have no NUL')
  .refine((text) => text.isWellFormed(), 'must have no half characters')

/** Postgres truncates longer names to 63 bytes. */
const ColumnName = StorableText.min(1).max(63)

export const Cells = z
  .record(ColumnName, StorableText.nullable())
  .describe('A row or its key: for each column, text in the input format of Postgres')

/** Cells as texts in Postgres's format. */
export const ShownCells = z.record(z.string(), z.string().nullable())

const NewRowValues: z.ZodType<
  Record<string, z.output<typeof JsonValue>>,
  Readonly<Record<string, unknown>>
> = z.record(ColumnName, JsonValue)

export const NewRow = NewRowValues.describe(
  'Values as JSON, with strings in the input format of Postgres. INSERT: the row. For UPDATE, only the columns that change',
)

export const RowCommand = z.enum(ROW_COMMANDS)
export type RowCommand = Shape<typeof RowCommand>

export const RowFilter = z.strictObject({
  column: ColumnName,
  operator: z.enum(ROW_OPERATORS),
  value: z
    .exactOptional(StorableText)
    .describe('Text in the input format of the Postgres type; absent for is_null'),
})
export type RowFilter = Shape<typeof RowFilter>

export const RowOrder = z.strictObject({
  column: ColumnName,
  descending: z.boolean().default(false),
})

export const RowColumn = z.object({
  name: z.string(),
  type: z.string().describe('Name of the type in Postgres'),
  is_key: z.boolean(),
})
export type RowColumn = Shape<typeof RowColumn>
