// Creates project credentials of any kind with chosen claims and expiry, including expired ones. Callers of this API can already
// read every key of the platform. Created credentials are not logged.
import type { z } from 'zod'
import type { MintedToken, MintTokenRequest } from '../../../contract/tokens.ts'
import type { IdSource } from '../../../core/id-source.ts'
import type { JsonObject } from '../../../core/json.ts'
import {
  MINUTE_MILLIS,
  plusMillis,
  SECOND_MILLIS,
  toEpochSeconds,
  toIso,
} from '../../../core/time.ts'
import type { KeyAddresses } from '../../../platform/credentials/project-key.ts'
import {
  realtimeClaims,
  SERVICE_TOKEN_SECONDS,
  signStorageToken,
  storageClaims,
  type TokenSubject,
} from '../../../platform/credentials/service-tokens.ts'
import { USER_SESSION_SECONDS } from '../../../platform/credentials/session-tokens.ts'
import type { SigningKeys } from '../../../platform/credentials/signing-keys.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import {
  type DecodedReference,
  type IdentityDeps,
  resolveIdentity,
} from '../../api-kit/identities.ts'
import { expiryOf } from './token-state.ts'

type MintOrder = z.output<typeof MintTokenRequest>

export interface MintTokenDeps {
  readonly signingKeys: SigningKeys
  readonly identities: IdentityDeps
  readonly ids: IdSource
}

/** @throws {InspectorError} `invalid_request`, `not_found` */
export async function mintToken(
  deps: MintTokenDeps,
  project: Project,
  order: MintOrder,
  addresses: KeyAddresses,
): Promise<MintedToken> {
  refuseFixedClaims(order)
  const { principal } = await resolveIdentity(
    deps.identities,
    project,
    referenceOf(deps, order),
    addresses,
  )
  const subject = { ...principal, subject: String(principal.claims['sub']) }
  const { token, claims } = await signed(deps, subject, order)
  const expiresAt = expiryOf(claims)
  return { token, claims, expires_at: expiresAt === undefined ? null : toIso(expiresAt) }
}

/** Claims that callers cannot choose, because other members of the request determine them. */
const FIXED = ['role', 'sdb_role', 'origin_role', 'project_id', 'project_schema', 'exp', 'claims']

function refuseFixedClaims({ claims = {} }: MintOrder): void {
  const fixed = FIXED.filter((name) => name in claims)
  if (fixed.length > 0)
    throw new InspectorError(
      'invalid_request',
      `The claims ${fixed.join(', ')} are set from project, kind, role, user and expires_in.`,
      { hint: 'Remove them from claims.' },
    )
}

function referenceOf({ ids }: MintTokenDeps, order: MintOrder): DecodedReference {
  const role = roleOf(order)
  if (role !== 'authenticated') {
    if (order.user === undefined) return { kind: role }
    throw contradiction(`a user acts as authenticated, not as ${role}`)
  }
  const { user = ids.uuid() } = order
  return { kind: 'user', user, claims: { session_id: ids.uuid() } }
}

function roleOf({ kind, role, user }: MintOrder): 'anon' | 'authenticated' | 'service_role' {
  const ofKind = ROLE_OF_KIND[kind]
  if (ofKind !== undefined && role !== undefined && role !== ofKind)
    throw contradiction(`the role of a ${kind} is ${ofKind}`)
  return ofKind ?? role ?? (user === undefined ? 'anon' : 'authenticated')
}

const ROLE_OF_KIND: Readonly<
  Partial<Record<MintOrder['kind'], 'anon' | 'authenticated' | 'service_role'>>
> = {
  anon_key: 'anon',
  service_role_key: 'service_role',
  data_plane_token: 'authenticated',
}

function contradiction(what: string): InspectorError {
  return new InspectorError('invalid_request', `The request contradicts itself: ${what}.`, {
    hint: 'Choose another kind, or remove role or user from the request.',
  })
}

async function signed(
  deps: MintTokenDeps,
  subject: TokenSubject,
  order: MintOrder,
): Promise<{ readonly token: string; readonly claims: JsonObject }> {
  const { signingKeys } = deps
  const own = { ...subject.claims, ...order.claims }
  switch (order.kind) {
    case 'storage_token': {
      const claims = { ...storageClaims(subject), ...order.claims, ...timesOf(deps, order) }
      return { token: await signStorageToken(signingKeys, subject, claims), claims }
    }
    case 'realtime_token': {
      const claims = {
        ...realtimeClaims({ ...subject, claims: own }),
        ...timesOf(deps, order),
      }
      return { token: await signingKeys.signHs256('realtime', claims), claims }
    }
    default: {
      const claims = { ...own, ...timesOf(deps, order) }
      return { token: await signingKeys.signEs256(claims), claims }
    }
  }
}

const LIFETIMES: Readonly<Partial<Record<MintOrder['kind'], number>>> = {
  data_plane_token: USER_SESSION_SECONDS,
  storage_token: SERVICE_TOKEN_SECONDS,
  realtime_token: SERVICE_TOKEN_SECONDS,
}

// An expired credential gets an issue time one minute before its expiry.
function timesOf({ identities }: MintTokenDeps, { kind, expires_in }: MintOrder): JsonObject {
  const now = identities.clock.now()
  const lifetime = expires_in ?? LIFETIMES[kind]
  if (lifetime === undefined) return { iat: toEpochSeconds(now) }
  const expiry = plusMillis(now, lifetime * SECOND_MILLIS)
  const issued = expiry <= now ? plusMillis(expiry, -MINUTE_MILLIS) : now
  return { iat: toEpochSeconds(issued), exp: toEpochSeconds(expiry) }
}
