// The keys that a start printed go on working in every state: they are derived, and their hashes are kept again.
import type { Foundation } from '../open-foundation.ts'

/** Keeps the developer's Group API Keys and management keys of everything there is. */
export function keepLocalKeys({ stores, localKeys, developer }: Foundation): void {
  stores.transaction(() => {
    for (const { id } of stores.groups.listGroups(developer.id))
      stores.apiKeys.keepGroupKey(id, localKeys.groupKey(id))
    for (const { id, kind } of stores.projects.listInState('active'))
      if (kind === 'tenant') stores.apiKeys.keepManagementKey(id, localKeys.managementKey(id))
  })
}
