// POST /_emulator/v1/principals: issues a credential for an identity of a project without a sign-in. Tests and tools call this
// route.
import type { Hono } from 'hono'
import type { z } from 'zod'
import {
  type MintPrincipalAnswer,
  type MintPrincipalRequest,
  PRINCIPAL_OPERATIONS,
} from '../../contract/tokens.ts'
import type { Clock } from '../../core/clock.ts'
import type { IdSource } from '../../core/id-source.ts'
import type { JsonObject } from '../../core/json.ts'
import type { SchemaName } from '../../core/names.ts'
import type { Addresses } from '../../core/request-env.ts'
import type { ProjectKeyMint } from '../../platform/credentials/project-key.ts'
import {
  mintDataPlaneToken,
  USER_SESSION_SECONDS,
} from '../../platform/credentials/session-tokens.ts'
import type { SigningKeys } from '../../platform/credentials/signing-keys.ts'
import type { Project } from '../../platform/projects/project.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import { InspectorError } from '../api-kit/errors.ts'
import { findProject } from '../api-kit/find-project.ts'
import { type Bindings, mount } from '../api-kit/mount.ts'

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

export function mountPrincipals(
  app: Hono<Bindings>,
  {
    projects,
    principals,
  }: { readonly projects: ProjectRegistry; readonly principals: PrincipalMintDeps },
): void {
  mount(app, PRINCIPAL_OPERATIONS, {
    'POST /principals': ({ body, env }) =>
      mintPrincipal(principals, findProject(projects, body.project), body, env.addresses),
  })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** @throws {InspectorError} `invalid_request`, `not_found` */
async function mintPrincipal(
  deps: PrincipalMintDeps,
  project: Project,
  order: z.output<typeof MintPrincipalRequest>,
  addresses: Addresses,
): Promise<MintPrincipalAnswer> {
  if (project.state === 'purged')
    throw new InspectorError(
      'not_found',
      `No credential can be issued, because the project ${project.slug} was purged.`,
    )
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
  throw new InspectorError(
    'not_found',
    `The project ${project.schemaName} has no user with the id or e-mail address ${reference}.`,
    {
      hint: 'Send the id or e-mail address of a user. To issue a token for a user who is not stored, send any UUID.',
    },
  )
}
