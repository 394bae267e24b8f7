// Who acts on a tenant's data: the only currency between a gate and the execution behind it.
import type { JsonObject } from './json.ts'
import type { ProjectId, SchemaName } from './names.ts'

/** The three roles a project credential can carry. */
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
  /** The claims as they stood in the token: what `request.jwt.claims` receives, never serialised again. */
  readonly claimsText: string
}
