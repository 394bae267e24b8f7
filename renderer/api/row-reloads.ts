// Reloads the rows of a tenant, open explanations of them, their history and the counts in the list of tables. Screens call it
// after their own edits and after writes of other clients.
import type { QueryClient } from '@tanstack/react-query'
import { liveSnapshot } from './live.ts'

/** The last reload after an edit of this page, by tenant. */
const reloads = new Map<string, { readonly bootId: string | undefined; readonly events: number }>()

/** @param events the number of events when the edit was answered; `undefined` after a write of another client */
export function reloadRows(queries: QueryClient, tenant: string, events?: number): void {
  if (events !== undefined) reloads.set(tenant, { bootId: liveSnapshot().bootId, events })
  for (const root of ['rows', 'explain', 'tables', 'history'])
    void queries.invalidateQueries({ queryKey: [root, tenant] })
}

/**
 * Whether a reload after an edit of this page has read the effect of the write.
 * @param events the number of the write, as in the event `written`. A restarted emulator counts from 0 again
 */
export function hasReloaded(tenant: string, events: number): boolean {
  const last = reloads.get(tenant)
  return last !== undefined && last.bootId === liveSnapshot().bootId && events <= last.events
}
