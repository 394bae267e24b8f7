// Inputs that several tools share, and what they stand for in the emulator's API.
import { z } from 'zod'
import type { IdentityReference } from '../contract/identities.ts'

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

/** Cells of a row by column, as text in the format of Postgres. */
export const Cells: z.ZodRecord<z.ZodString, z.ZodNullable<z.ZodString>> = z.record(
  z.string(),
  z.string().nullable(),
)

/** The identity that a caller names. */
export function referenceOf(identity: string): IdentityReference {
  if (identity === 'anon' || identity === 'service_role') return { kind: identity }
  if (identity.startsWith('request:'))
    return { kind: 'request', request_id: identity.slice('request:'.length) }
  return { kind: 'user', user: identity }
}

/** Writes an identity as tools take it, or describes custom claims, which no tool takes. */
export function nameOf(reference: IdentityReference): string {
  switch (reference.kind) {
    case 'user':
      return reference.user
    case 'request':
      return `request:${reference.request_id}`
    case 'claims':
      return `custom claims of ${reference.role}`
    case 'anon':
    case 'service_role':
      return reference.kind
  }
}

/** Members of a finding whose entries all came in one answer of the API, so that a cursor counts them. */
export function fromCursor(
  entries: readonly string[],
  cursor: number,
): {
  readonly entries: readonly string[]
  readonly total: number
  readonly readOn: (shown: number) => string
} {
  const rest = entries.slice(cursor)
  return {
    entries: rest,
    total: rest.length,
    readOn: (shown) => `Continue with "cursor": ${cursor + shown}.`,
  }
}
