// Credentials: describes a given credential, and mints credentials of a project with chosen claims and expiry.
import { z } from 'zod'
import { MINTED_KINDS } from './choices.ts'
import type { OperationTable, Shape } from './operation.ts'
import { JsonObject, Role } from './values.ts'

export const ExplainTokenRequest = z.strictObject({
  token: z
    .string()
    // Limit above the length of any header that the server accepts.
    .max(262_144)
    .describe('A JWT, a PASETO or an opaque key, with or without `Bearer`'),
})

export const TokenExplanation = z.object({
  kind: z.enum([
    'anon_key',
    'service_role_key',
    'data_plane_token',
    'session_token',
    'storage_token',
    'realtime_token',
    'group_api_key',
    'management_key',
    'signed_url_token',
    'platform_session',
    'admin_token',
    'unknown',
  ]),
  header: z.record(z.string(), z.unknown()).nullable(),
  claims: z.record(z.string(), z.unknown()).nullable(),
  signature: z.enum(['valid', 'invalid', 'not_signed', 'unknown_key']),
  expires_at: z.string().nullable().describe('ISO 8601; `null` when it does not expire'),
  now: z.string().describe('Current platform time, for comparison with expires_at'),
  project: z.object({ schema_name: z.string(), slug: z.string(), state: z.string() }).nullable(),
  holds: z.boolean(),
  sentence: z.string().describe('Description of the credential, or the reason of its refusal'),
  services: z
    .array(
      z.object({
        service: z.enum(['rest', 'auth', 'storage', 'realtime', 'groups', 'platform']),
        accepted: z.boolean(),
        sentence: z.string(),
      }),
    )
    .describe('For each service, whether it accepts the credential and as which role'),
})
export type TokenExplanation = Shape<typeof TokenExplanation>

/** A hundred years, in the past or the future. */
const MAX_SECONDS = 3_155_760_000

export const MintTokenRequest = z.strictObject({
  project: z.string().min(1),
  kind: z.enum(MINTED_KINDS),
  role: z.exactOptional(Role),
  user: z.exactOptional(z.string().min(1).max(320)).describe("A user's id or e-mail address"),
  claims: z.exactOptional(JsonObject),
  expires_in: z
    .exactOptional(z.number().int().min(-MAX_SECONDS).max(MAX_SECONDS))
    .describe('Seconds from now until the expiry; negative for a token that has expired'),
})
export type MintTokenRequest = Shape<typeof MintTokenRequest>

export const MintedToken = z.object({
  token: z.string(),
  claims: z.record(z.string(), z.unknown()),
  expires_at: z.string().nullable(),
})
export type MintedToken = Shape<typeof MintedToken>

export const MintPrincipalRequest = z.strictObject({
  project: z.string().min(1).describe("`proj_<slug>`, the slug or the project's id"),
  role: Role,
  user: z
    .exactOptional(z.string().min(1))
    .describe(
      'For `authenticated`, the id or e-mail address of a user. The emulator refuses unknown users, except UUIDs',
    ),
  claims: z
    .exactOptional(JsonObject)
    .describe('Further claims, e.g. `user_metadata`, `app_metadata`, `aal`'),
})
export type MintPrincipalRequest = Shape<typeof MintPrincipalRequest>

export const MintPrincipalAnswer = z.object({
  token: z.string(),
  role: z.string(),
  subject: z.string(),
  expires_in: z
    .number()
    .nullable()
    .describe('Lifetime in seconds; `null` for keys, which do not expire'),
})
export type MintPrincipalAnswer = Shape<typeof MintPrincipalAnswer>

export const PRINCIPAL_OPERATIONS = {
  'POST /principals': {
    summary: 'Mints a credential for the data plane.',
    body: MintPrincipalRequest,
    answer: MintPrincipalAnswer,
    status: 201,
  },
} as const satisfies OperationTable

export const TOKEN_OPERATIONS = {
  'POST /tokens/explain': {
    summary: 'Describes a credential, and reports whether it is valid.',
    body: ExplainTokenRequest,
    answer: TokenExplanation,
  },
  'POST /tokens/mint': {
    summary: 'Mints any credential of a project.',
    body: MintTokenRequest,
    answer: MintedToken,
    status: 201,
  },
} as const satisfies OperationTable
