// Adapts the records of a restored state to this emulator.

import type { LocalKeys } from '../../../platform/credentials/local-keys.ts'
import type { Owner } from '../accounts/owners.ts'
import { type EraseDeps, finishErasureLater } from './erase-project.ts'

/** The developer's account and keys, which the start of the emulator sets in every restored state. */
export interface LocalAccount {
  readonly developer: Owner
  readonly localKeys: Pick<LocalKeys, 'groupKey' | 'managementKey'>
}

/** Call this function when another state of the platform was restored. Purges that the state left pending are finished later. */
export function adoptState(deps: EraseDeps, account: LocalAccount): void {
  keepLocalKeys(deps, account)
  for (const project of deps.stores.projects.listInState('purging'))
    finishErasureLater(deps, project)
}

// Stores the developer's password and keys in the restored state, so that the password and keys printed at the start stay valid.
// An older snapshot can contain other hashes.
function keepLocalKeys(
  { stores }: Pick<EraseDeps, 'stores'>,
  { developer, localKeys }: LocalAccount,
): void {
  stores.transaction(() => {
    stores.owners.setPasswordHash(developer.id, developer.passwordHash)
    for (const { id } of stores.groups.listGroups(developer.id))
      stores.apiKeys.keepGroupKey(id, localKeys.groupKey(id))
    for (const { id, kind } of stores.projects.listInState('active'))
      if (kind === 'tenant') stores.apiKeys.keepManagementKey(id, localKeys.managementKey(id))
  })
}
