// Who acts in a project's database. Verifying a credential creates the actor, and the same object reaches the engine.
import type { JsonObject } from './json.ts'
import type { ProjectId, RoleName, SchemaName } from './names.ts'

/**
 * The roles that all projects share. Only `auth_admin` writes a project's `auth_*` tables. `row_reader` reads every row of the
 * schema; only database/row-reader.ts uses it.
 */
export const SHARED_ROLES = [
  'anon',
  'authenticated',
  'service_role',
  'auth_admin',
  'row_reader',
] as const
export type SharedRole = (typeof SHARED_ROLES)[number]

/** The role and schema of statements. The role is shared, or it is the project's own owner or realtime role. */
export interface Actor {
  readonly schemaName: SchemaName
  readonly role: SharedRole | RoleName
}

/** An actor with the claims that policies and functions read. */
export interface Principal extends Actor {
  readonly claims: JsonObject
  /** The claims exactly as in the token, for `request.jwt.claims`. */
  readonly claimsText: string
}

/** Roles that a project's credentials can have. */
export type PrincipalRole = 'anon' | 'authenticated' | 'service_role'

export type PrincipalCredentialKind = 'anonKey' | 'serviceRoleKey' | 'dataPlaneToken'

/** The holder of an anon key, a service_role key or a user's data_plane_token. */
export interface VerifiedPrincipal extends Principal {
  readonly kind: 'principal'
  readonly projectId: ProjectId
  readonly role: PrincipalRole
  /** The claim `sub`: `apikey:anon`, `apikey:service_role` or a user's id. */
  readonly subject: string
  readonly credentialKind: PrincipalCredentialKind
}
