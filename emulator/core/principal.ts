// The principal: the verified caller that acts on a tenant's data. Gates produce it, services use it.
import type { JsonObject } from './json.ts'
import type { ProjectId, SchemaName } from './names.ts'

/** The roles of a project's credentials. */
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
