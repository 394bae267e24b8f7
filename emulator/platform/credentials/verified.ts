// The result of verifying a credential: a closed union with one member per kind of bearer.
import type { GroupId, OwnerId, ProjectId } from '../../core/names.ts'
import type { Principal } from '../../core/principal.ts'

/** A dashboard account, from a platform session token. */
export interface VerifiedOwner {
  readonly kind: 'owner'
  readonly ownerId: OwnerId
  readonly email: string
}

/** The holder of a Group API Key. */
export interface VerifiedGroupKey {
  readonly kind: 'groupKey'
  readonly groupId: GroupId
  readonly keyId: string
}

/** The holder of a project's management key. */
export interface VerifiedManagementKey {
  readonly kind: 'managementKey'
  readonly projectId: ProjectId
  readonly keyId: string
}

/** The holder of an anon key, a service_role key or a user's data_plane_token. */
export interface VerifiedPrincipal {
  readonly kind: 'principal'
  readonly principal: Principal
}

export type Verified = VerifiedOwner | VerifiedGroupKey | VerifiedManagementKey | VerifiedPrincipal

/** Verifies credentials for all services. */
export interface Verifier {
  /**
   * Verifies a credential and returns its bearer.
   * @throws {CredentialError} `missing` for `undefined` or empty text, `wrongKind` for a valid credential of a kind not in
   * `expected`
   */
  verify<Kind extends Verified['kind']>(
    text: string | undefined,
    expected: readonly Kind[],
  ): Promise<Extract<Verified, { kind: Kind }>>
}

/** Extracts the credential from an `Authorization: Bearer …` header; `undefined` without one. */
export function bearerOf(header: string | null | undefined): string | undefined {
  const match = /^bearer\s+(\S+)\s*$/i.exec(header ?? '')
  return match?.[1]
}
