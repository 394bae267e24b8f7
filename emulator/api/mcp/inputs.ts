// Inputs that several tools share, with their conversion to inputs of the emulator's API.
import { z } from 'zod'
import type { Finding } from './tool.ts'

export const Tenant: z.ZodString = z
  .string()
  .describe('Slug of a tenant, template or project, as list_tenants shows it')

export const Identity: z.ZodString = z
  .string()
  .describe(
    'anon, service_role, the e-mail address or id of a user, or request:<id> for the identity of a recorded request',
  )

export const Limit: z.ZodDefault<z.ZodNumber> = z
  .number()
  .int()
  .min(1)
  .max(200)
  .default(50)
  .describe('Maximum number of entries. An answer has at most 4 kB')

export const Cursor: z.ZodDefault<z.ZodNumber> = z
  .number()
  .int()
  .min(0)
  .default(0)
  .describe('Where to continue, as the previous answer says')

/** Where a list continues, for lists whose entries have their own numbers. */
export const Before: z.ZodOptional<z.ZodNumber> = z
  .number()
  .int()
  .min(0)
  .optional()
  .describe('Where to continue, as the previous answer says')

/** Cells of a row by column, as text in the format of Postgres. A number or boolean counts as its text. */
export const Cells: z.ZodType<Readonly<Record<string, string | null>>> = z.record(
  z.string(),
  z.union([z.string(), z.null(), z.union([z.number(), z.boolean()]).transform(String)]),
)

/** Index of a page's first entry, and the page's maximum length. */
export interface Page {
  readonly cursor: number
  readonly limit: number
}

/** Returns one page of `entries`, which is the complete list. */
export function fromCursor(
  entries: readonly string[],
  { cursor, limit }: Page,
): Pick<Finding, 'entries' | 'readOn' | 'total'> {
  return { entries: entries.slice(cursor, cursor + limit), ...rest(entries.length, cursor) }
}

/** Says how to read the rest of a list when the answer contains only a part. `length` is that of the complete list. */
export function rest(length: number, cursor: number): Pick<Finding, 'readOn' | 'total'> {
  return {
    total: Math.max(0, length - cursor),
    readOn: (shown) => `Continue with "cursor": ${cursor + shown}.`,
  }
}
