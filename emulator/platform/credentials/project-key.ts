// Mints anon and service_role keys: ES256 JWTs without expiry, bound to a key version (docs/wire/credentials.md#project-keys).
import type { JsonObject } from '../../core/json.ts'
import { keepNewest } from '../../core/keep-newest.ts'
import type { PrincipalRole } from '../../core/principal.ts'
import type { EpochMillis } from '../../core/time.ts'
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
  /**
   * Mints both keys for the project's current key version. The same arguments always give the same texts, also after a restart.
   */
  mint(
    project: Pick<Project, 'id' | 'schemaName' | 'keyVersion'>,
    addresses: KeyAddresses,
    now: EpochMillis,
  ): Promise<ProjectKeys>
}

/** Number of keys in the cache. A key's text is about 500 bytes. */
const REMEMBERED_KEYS = 1_000

export function createProjectKeyMint(signingKeys: SigningKeys): ProjectKeyMint {
  const remembered = new Map<string, string>()
  async function signOnce(claims: JsonObject): Promise<string> {
    const name = JSON.stringify(claims)
    const key = remembered.get(name) ?? (await signingKeys.signEs256Stably(claims))
    keepNewest(remembered, REMEMBERED_KEYS, name, key)
    return key
  }
  return {
    mint: async (project, addresses, now) => {
      const sign = (role: ProjectKeyRole) =>
        signOnce(projectKeyClaims(project, role, addresses, now))
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
