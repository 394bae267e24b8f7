// Mints anon and service_role keys: ES256 JWTs without expiry, bound to a key version (docs/wire/credentials.md#project-keys).
import type { JsonObject } from '../core/json.ts'
import type { PrincipalRole } from '../core/principal.ts'
import type { EpochMillis } from '../core/time.ts'
import type { Project } from '../projects/project.ts'
import type { SigningKeys } from './signing-keys.ts'

export interface ProjectKeys {
  readonly anonKey: string
  readonly serviceRoleKey: string
}

/**
 * `iss` and `aud` are not verified, so keys stay valid on another port or host name (docs/wire/credentials.md#project-keys).
 */
export interface KeyAddresses {
  readonly authUrl: string
  readonly dataUrl: string
}

export interface ProjectKeyMint {
  /** Mints both keys for the project's current key version. */
  mint(
    project: Pick<Project, 'id' | 'schemaName' | 'keyVersion'>,
    addresses: KeyAddresses,
    now: EpochMillis,
  ): Promise<ProjectKeys>
}

export function createProjectKeyMint(signingKeys: SigningKeys): ProjectKeyMint {
  return {
    mint: async (project, addresses, now) => {
      const sign = (role: ProjectKeyRole) =>
        signingKeys.signEs256(projectKeyClaims(project, role, addresses, now))
      const [anonKey, serviceRoleKey] = await Promise.all([sign('anon'), sign('service_role')])
      return { anonKey, serviceRoleKey }
    },
  }
}

export type ProjectKeyRole = Exclude<PrincipalRole, 'authenticated'>

/** Returns the claims of the anon or service_role key. */
export function projectKeyClaims(
  project: Pick<Project, 'id' | 'schemaName' | 'keyVersion'>,
  role: ProjectKeyRole,
  addresses: KeyAddresses,
  now: EpochMillis,
): JsonObject {
  return {
    role,
    project_id: project.id,
    project_schema: project.schemaName,
    kv: project.keyVersion,
    sub: `apikey:${role}`,
    iat: Math.floor(now / 1000),
    iss: addresses.authUrl,
    aud: addresses.dataUrl,
  }
}
