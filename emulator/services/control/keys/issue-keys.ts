// Issues management keys and replaces project keys (docs/wire/platform.md#management-keys, docs/wire/credentials.md#key-version).
import type { ProjectId } from '../../../core/names.ts'
import { DAY_MILLIS, plusMillis } from '../../../core/time.ts'
import type { ProjectKeys } from '../../../platform/credentials/project-key.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ControlDeps, RequestOrigin } from '../deps.ts'
import type { NewKey } from './api-keys.ts'

export interface ManagementKeyRequest {
  readonly label?: string | null | undefined
  /** Days until the key expires. When absent, the key never expires. */
  readonly expires_in_days?: number | null | undefined
}

export function mintManagementKey(
  { stores, clock }: Pick<ControlDeps, 'stores' | 'clock'>,
  projectId: ProjectId,
  request: ManagementKeyRequest,
): NewKey {
  const days = request.expires_in_days ?? undefined
  const expiresAt = days === undefined ? undefined : plusMillis(clock.now(), days * DAY_MILLIS)
  return stores.apiKeys.mintManagementKey(projectId, request.label ?? undefined, expiresAt)
}

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
  const leaving = stores.projects.findProject(id)
  if (leaving !== undefined) await lifecycle.leaving(leaving)
  const project = stores.projects.raiseKeyVersion(id)
  lifecycle.keysReplaced(project)
  const keys = await credentials.projectKeys.mint(project, addresses, clock.now())
  return { keys, keyVersion: project.keyVersion }
}
