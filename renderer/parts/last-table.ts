// The table that is or was open on Tables in each tenant. Links to Tables open it again, until the page reloads.
import { useSyncExternalStore } from 'react'

const tables = new Map<string, string>()
const listeners = new Set<() => void>()

/** `undefined` forgets the table, for example after it was dropped. */
export function keepTable(tenant: string, table: string | undefined): void {
  if (tables.get(tenant) === table) return
  if (table === undefined) tables.delete(tenant)
  else tables.set(tenant, table)
  for (const listener of listeners) listener()
}

export function useLastTable(tenant: string | undefined): string | undefined {
  return useSyncExternalStore(onChange, () =>
    tenant === undefined ? undefined : tables.get(tenant),
  )
}

function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
