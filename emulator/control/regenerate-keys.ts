// Replaces a project's anon and service_role keys: the key version rises, so every older one is refused at once
// (docs/wire/credentials.md#key-version).
import type { ProjectKeys } from '../credentials/project-key.ts'
import type { Project } from '../projects/project.ts'
import type { ControlDeps, RequestOrigin } from './deps.ts'

export type RegenerateDeps = Pick<ControlDeps, 'stores' | 'credentials' | 'lifecycle' | 'clock'>

export interface RegeneratedKeys {
  readonly keys: ProjectKeys
  readonly keyVersion: number
}

export async function regenerateKeys(
  { stores, credentials, lifecycle, clock }: RegenerateDeps,
  id: Project['id'],
  { addresses }: Pick<RequestOrigin, 'addresses'>,
): Promise<RegeneratedKeys> {
  const project = stores.projects.raiseKeyVersion(id)
  lifecycle.keysReplaced(project)
  const keys = await credentials.projectKeys.mint(project, addresses, clock.now())
  return { keys, keyVersion: project.keyVersion }
}
