// Minting any credential of a project: for tests and tools that act as somebody without signing in.
import { z } from 'zod'
import { InspectorError } from '../api-kit/errors.ts'
import type { MintPrincipalAnswer } from '../contract/principals.ts'
import type { Clock } from '../core/clock.ts'
import type { IdSource } from '../core/id-source.ts'
import type { JsonObject } from '../core/json.ts'
import type { SchemaName } from '../core/names.ts'
import type { Addresses } from '../core/request-env.ts'
import type { ProjectKeyMint } from '../credentials/project-key.ts'
import { mintDataPlaneToken, USER_SESSION_SECONDS } from '../credentials/session-tokens.ts'
import type { SigningKeys } from '../credentials/signing-keys.ts'
import type { Project } from '../projects/project.ts'

export const mintPrincipalSchema = z.strictObject({
  project: z.string().min(1),
  role: z.enum(['anon', 'service_role', 'authenticated']),
  user: z.string().min(1).optional(),
  claims: z.record(z.string(), z.json()).optional(),
})

export interface PrincipalMintDeps {
  readonly signingKeys: SigningKeys
  readonly projectKeyMint: ProjectKeyMint
  readonly findUser: (
    schemaName: SchemaName,
    reference: string,
  ) => Promise<
    | { readonly id: string; readonly email: string | null; readonly userMetadata: JsonObject }
    | undefined
  >
  readonly ids: IdSource
  readonly clock: Clock
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Mints the credential. @throws {InspectorError} `invalid_request`, `not_found` */
export async function mintPrincipal(
  deps: PrincipalMintDeps,
  project: Project,
  order: z.output<typeof mintPrincipalSchema>,
  addresses: Addresses,
): Promise<MintPrincipalAnswer> {
  if (project.state === 'purged')
    throw new InspectorError('not_found', `The project ${project.slug} was purged.`)
  if (order.role !== 'authenticated') {
    const keys = await deps.projectKeyMint.mint(project, addresses, deps.clock.now())
    const token = order.role === 'anon' ? keys.anonKey : keys.serviceRoleKey
    return { token, role: order.role, subject: `apikey:${order.role}`, expires_in: null }
  }
  const user = await userOf(deps, project, order.user ?? deps.ids.uuid())
  const claims: JsonObject = { ...order.claims }
  const objectClaim = (name: string): JsonObject => (claims[name] ?? {}) as JsonObject
  const token = await mintDataPlaneToken(
    deps.signingKeys,
    project,
    {
      userId: user.id,
      email: user.email,
      phone: null,
      sessionId: deps.ids.uuid(),
      assuranceLevel: claims['aal'] === 'aal2' ? 'aal2' : 'aal1',
      methods: [],
      userMetadata:
        claims['user_metadata'] === undefined ? user.userMetadata : objectClaim('user_metadata'),
      appMetadata: objectClaim('app_metadata'),
    },
    addresses,
    deps.clock.now(),
  )
  return { token, role: 'authenticated', subject: user.id, expires_in: USER_SESSION_SECONDS }
}

async function userOf(deps: PrincipalMintDeps, project: Project, reference: string) {
  const known = await deps.findUser(project.schemaName, reference)
  if (known !== undefined) return known
  if (UUID.test(reference)) return { id: reference, email: null, userMetadata: {} }
  throw new InspectorError('not_found', `There is no user ${reference} in ${project.schemaName}.`, {
    hint: 'Name a user’s e-mail address or id; any UUID is taken for a user that exists only in the token.',
  })
}
