// The content of a verified credential: a closed union, one member per kind of bearer.
import type { GroupId, OwnerId, ProjectId } from '../core/names.ts'
import type { Principal } from '../core/principal.ts'

/** A platform session token: the dashboard account behind it. */
export interface VerifiedOwner {
  readonly kind: 'owner'
  readonly ownerId: OwnerId
  readonly email: string
}

/** A Group API Key. */
export interface VerifiedGroupKey {
  readonly kind: 'groupKey'
  readonly groupId: GroupId
  readonly keyId: string
}

/** A project's management key. */
export interface VerifiedManagementKey {
  readonly kind: 'managementKey'
  readonly projectId: ProjectId
  readonly keyId: string
}

/** An anon key, a service_role key or a user's data_plane_token. */
export interface VerifiedPrincipal {
  readonly kind: 'principal'
  readonly principal: Principal
}

export type Verified = VerifiedOwner | VerifiedGroupKey | VerifiedManagementKey | VerifiedPrincipal

/** Verifies credentials for all services. */
export interface Verifier {
  /**
   * Verifies the text of a credential and gives its bearer.
   * @throws {CredentialError} `missing` for `undefined` or empty text, `wrongKind` when sound but none of `expected`.
   */
  verify<Kind extends Verified['kind']>(
    text: string | undefined,
    expected: readonly Kind[],
  ): Promise<Extract<Verified, { kind: Kind }>>
}

/** Takes the credential out of an `Authorization: Bearer …` header; `undefined` when there is none. */
export function bearerOf(header: string | null | undefined): string | undefined {
  const match = /^bearer\s+(\S+)\s*$/i.exec(header ?? '')
  return match?.[1]
}
