// Adapts the records of a restored state to this emulator.

import type { LocalKeys } from '../../../platform/credentials/local-keys.ts'
import type { Owner } from '../accounts/owners.ts'
import { type EraseDeps, finishErasureLater } from './erase-project.ts'

/** What a start decides, whatever the state contains. */
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

// Restores the developer's password and keys, so that those printed by the start stay valid in every state. An older snapshot
// can contain other hashes.
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
