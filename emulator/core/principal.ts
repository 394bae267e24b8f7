// The principal: a verified caller that accesses a tenant's data. Services create a principal when they verify a credential.
import type { JsonObject } from './json.ts'
import type { ProjectId, SchemaName } from './names.ts'

/** Roles that a project's credentials can have. */
export type PrincipalRole = 'anon' | 'authenticated' | 'service_role'

export type PrincipalCredentialKind = 'anonKey' | 'serviceRoleKey' | 'dataPlaneToken'

export interface Principal {
  readonly projectId: ProjectId
  readonly schemaName: SchemaName
  readonly role: PrincipalRole
  /** The claim `sub`: `apikey:anon`, `apikey:service_role` or a user's id. */
  readonly subject: string
  readonly credentialKind: PrincipalCredentialKind
  readonly claims: JsonObject
  /** The claims exactly as in the token, for `request.jwt.claims`. */
  readonly claimsText: string
}
