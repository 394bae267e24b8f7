// Mints a management key: the credential with which a project's schema is migrated (docs/wire/platform.md#management-keys).
import type { ProjectId } from '../core/names.ts'
import { DAY_MILLIS, plusMillis } from '../core/time.ts'
import type { NewKey } from './api-keys.ts'
import type { ControlDeps } from './deps.ts'

export interface ManagementKeyRequest {
  readonly label?: string | null | undefined
  /** Days until it expires; never when absent. */
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
