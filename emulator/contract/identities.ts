// Identities: the role and claims under which the inspector shows a project's data.
import { z } from 'zod'
import type { OperationTable, Shape } from './operation.ts'
import { JsonObject, Role, StorableText } from './values.ts'

const Name = z
  .string()
  .min(1)
  .max(320)
  .refine((text) => !text.includes('\0'), 'must have no NUL')

export const IdentityReference = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('anon') }),
  z.strictObject({ kind: z.literal('service_role') }),
  z
    .strictObject({ kind: z.literal('user'), user: Name, claims: z.exactOptional(JsonObject) })
    .describe(
      'An end user, by id or e-mail address. `claims` are added to the claims of a new session of that user',
    ),
  z
    .strictObject({ kind: z.literal('claims'), role: Role, claims: JsonObject })
    .describe('Custom claims'),
  z
    .strictObject({ kind: z.literal('request'), request_id: Name })
    .describe('The identity of a recorded request'),
])
export type IdentityReference = Shape<typeof IdentityReference>

/**
 * Returns the identity that a person names: `anon`, `service_role`, `request:<id>` for the identity of a recorded request, or the
 * e-mail address or id of a user.
 */
export function identityNamed(name: string): IdentityReference {
  if (name === 'anon' || name === 'service_role') return { kind: name }
  if (name.startsWith('request:'))
    return { kind: 'request', request_id: name.slice('request:'.length) }
  return { kind: 'user', user: name }
}

export const Identity = z.object({
  label: z.string().describe('An e-mail address, `anon` or `service_role`'),
  role: Role,
  subject: z.string(),
  claims: z.record(z.string(), z.unknown()),
})
export type Identity = Shape<typeof Identity>

export const IdentityChoices = z.object({
  identities: z.array(z.object({ reference: IdentityReference, label: z.string(), role: Role })),
})
export type IdentityChoices = Shape<typeof IdentityChoices>

export const IDENTITY_OPERATIONS = {
  'GET /projects/:ref/identities': {
    summary: 'Lists the identities under which you can view the data.',
    query: z.strictObject({ search: StorableText.max(320).default('') }),
    answer: IdentityChoices,
  },
} as const satisfies OperationTable
