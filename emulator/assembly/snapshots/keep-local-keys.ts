// The password and the keys that a start printed go on working in every state: their hashes are kept again. An older
// snapshot would otherwise bring back an older password.
import type { Foundation } from '../open-foundation.ts'

/** Keeps the developer's password, Group API Keys and management keys of everything there is. */
export function keepLocalKeys({ stores, localKeys, developer }: Foundation): void {
  stores.transaction(() => {
    stores.owners.setPasswordHash(developer.id, developer.passwordHash)
    for (const { id } of stores.groups.listGroups(developer.id))
      stores.apiKeys.keepGroupKey(id, localKeys.groupKey(id))
    for (const { id, kind } of stores.projects.listInState('active'))
      if (kind === 'tenant') stores.apiKeys.keepManagementKey(id, localKeys.managementKey(id))
  })
}
