// Resolves a reference to an identity (contract/identities.ts). Returns the claims that a credential issued now would have, and
// the principal that statements run as.
import type { z } from 'zod'
import { ROLES } from '../../contract/choices.ts'
import type { Identity, IdentityChoices, IdentityReference } from '../../contract/identities.ts'
import type { Clock } from '../../core/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Principal, PrincipalRole } from '../../core/principal.ts'
import { toEpochSeconds } from '../../core/time.ts'
import { type KeyAddresses, projectKeyClaims } from '../../platform/credentials/project-key.ts'
import { dataPlaneClaims } from '../../platform/credentials/session-tokens.ts'
import type { Project } from '../../platform/projects/project.ts'
import type { UserManagement } from '../../services/auth/users/manage-users.ts'
import { InspectorError } from './errors.ts'

/**
 * Finds the claims of the credential in a recorded request. `claims` is `undefined` when the request had no credential. The
 * result is `undefined` when the request is no longer kept.
 */
export type ClaimsOfRequest = (
  requestId: string,
) => { readonly claims: JsonObject | undefined } | undefined

export interface IdentityDeps {
  readonly users: Pick<UserManagement, 'find' | 'findAll' | 'list'>
  readonly claimsOfRequest: ClaimsOfRequest
  readonly clock: Clock
}

export interface ResolvedIdentity {
  /** The identity as the API sends it. */
  readonly identity: Identity
  /** Argument for `runAs`. */
  readonly principal: Principal & { readonly role: PrincipalRole }
}

/** A decoded `IdentityReference`. */
export type DecodedReference = z.output<typeof IdentityReference>

/** @throws {InspectorError} `not_found` for an unknown user or request, `invalid_request` for a request without credential */
export async function resolveIdentity(
  deps: IdentityDeps,
  project: Project,
  reference: DecodedReference,
  addresses: KeyAddresses,
): Promise<ResolvedIdentity> {
  switch (reference.kind) {
    case 'anon':
    case 'service_role':
      return resolved(
        project,
        reference.kind,
        projectKeyClaims(project, reference.kind, addresses, deps.clock.now()),
      )
    case 'user': {
      const fresh = await userClaims(deps, project, reference.user, addresses)
      return resolved(project, 'authenticated', { ...fresh, ...reference.claims })
    }
    case 'claims':
      return resolved(project, reference.role, { role: reference.role, ...reference.claims })
    case 'request':
      return identityOfRequest(deps, project, reference.request_id)
  }
}

/** Resolves all references, with one query for all users. @throws {InspectorError} as `resolveIdentity` */
export async function resolveIdentities(
  deps: IdentityDeps,
  project: Project,
  references: readonly DecodedReference[],
  addresses: KeyAddresses,
): Promise<readonly ResolvedIdentity[]> {
  const names = references.flatMap((each) =>
    each.kind === 'user' ? [each.user.toLowerCase()] : [],
  )
  const found = await deps.users.findAll(project.schemaName, names)
  const known = new Map(
    found.flatMap((user) => [
      [user.id, user] as const,
      [(user.email ?? '').toLowerCase(), user] as const,
    ]),
  )
  const find: IdentityDeps['users']['find'] = async (schemaName, reference) => {
    const user = known.get(reference.toLowerCase())
    if (user !== undefined || UUID.test(reference)) return user
    return deps.users.find(schemaName, reference)
  }
  const remembering = { ...deps, users: { ...deps.users, find } }
  return Promise.all(
    references.map((each) => resolveIdentity(remembering, project, each, addresses)),
  )
}

const MAX_CHOICES = 200

/** Returns the roles `anon` and `service_role`, and the newest users, filtered by `search`. */
export async function identityChoices(
  deps: IdentityDeps,
  project: Project,
  search: string,
): Promise<IdentityChoices> {
  const page = { limit: MAX_CHOICES, offset: 0, search }
  const { users } = await deps.users.list(project.schemaName, page)
  const people = users.map(({ id, email, phone }) => ({
    reference: { kind: 'user', user: id } satisfies IdentityReference,
    label: email ?? phone ?? id,
    role: 'authenticated' as const,
  }))
  const keys = (['anon', 'service_role'] as const)
    .filter((role) => role.includes(search.toLowerCase()))
    .map((role) => ({ reference: { kind: role }, label: role, role }))
  return { identities: [...keys, ...people] }
}

/** Returns the label of an identity: a user's e-mail address, telephone number or id, or the role of a key. */
export function labelOf(role: PrincipalRole, { email, phone, sub }: JsonObject): string {
  if (sub === `apikey:${role}`) return role
  const name = [email, phone, sub].find((claim) => typeof claim === 'string' && claim !== '')
  return typeof name === 'string' ? name : role
}

export const UUID: RegExp = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
// A fixed session id, so that resolving the same reference twice gives the same claims.
const NO_SESSION = '00000000-0000-4000-8000-000000000000'

async function userClaims(
  deps: IdentityDeps,
  project: Project,
  reference: string,
  addresses: KeyAddresses,
): Promise<JsonObject> {
  const now = deps.clock.now()
  const user = await deps.users.find(project.schemaName, reference)
  if (user === undefined && !UUID.test(reference))
    throw new InspectorError('not_found', `There is no user ${reference} in ${project.slug}.`, {
      hint: 'Give a user’s e-mail address or id. The emulator accepts any UUID as a user that exists only in claims.',
    })
  return dataPlaneClaims(
    project,
    {
      userId: user?.id ?? reference.toLowerCase(),
      email: user?.email ?? null,
      phone: user?.phone ?? null,
      sessionId: NO_SESSION,
      assuranceLevel: 'aal1',
      methods: [{ method: 'password', timestamp: toEpochSeconds(now) }],
      userMetadata: user?.user_metadata ?? {},
      appMetadata: user?.app_metadata ?? {},
    },
    addresses,
    now,
  )
}

function identityOfRequest(
  { claimsOfRequest }: IdentityDeps,
  project: Project,
  requestId: string,
): ResolvedIdentity {
  const recorded = claimsOfRequest(requestId)
  if (recorded === undefined)
    throw new InspectorError(
      'not_found',
      `The emulator no longer keeps the request ${requestId}.`,
      {
        hint: 'Newer requests replace older ones, and a restart drops all of them. Choose a newer request.',
      },
    )
  const role = roleOf(recorded.claims ?? {})
  if (recorded.claims === undefined || role === undefined)
    throw new InspectorError(
      'invalid_request',
      `The request ${requestId} carried no credential that acts as a role of this project.`,
      { hint: 'Choose an identity: anon, service_role or a user.' },
    )
  return resolved(project, role, recorded.claims)
}

// A realtime token has its subscriber's role in `sdb_role`. A user's access_token has no role and counts as `authenticated`.
function roleOf(recorded: JsonObject): PrincipalRole | undefined {
  const { sdb_role: subscriberRole, role = 'authenticated' } = recorded
  return ROLES.find((known) => known === (subscriberRole ?? role))
}

function resolved(project: Project, role: PrincipalRole, claims: JsonObject): ResolvedIdentity {
  const { sub } = claims
  return {
    identity: {
      label: labelOf(role, claims),
      role,
      subject: typeof sub === 'string' ? sub : '',
      claims,
    },
    principal: {
      schemaName: project.schemaName,
      role,
      claims,
      claimsText: JSON.stringify(claims),
    },
  }
}
