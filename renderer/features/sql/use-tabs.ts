// The tabs of a tenant's console, kept in the browser; a link's statement opens one of its own.
import { useState } from 'react'
import {
  edited,
  parseTabs,
  type SqlTabs,
  withLink,
  withoutTab,
  withSql,
  withTab,
} from './tabs-model.ts'

export interface TabsControl extends SqlTabs {
  readonly write: (sql: string) => void
  readonly rename: (id: string, name: string) => void
  readonly show: (id: string) => void
  readonly add: () => void
  readonly close: (id: string) => void
  /** Into the open tab when that is empty, else into a new one. */
  readonly bring: (sql: string) => void
}

/** @param onClose called with the id of a tab that closes */
export function useTabs(
  tenant: string,
  linked: string | undefined,
  onClose: (id: string) => void,
): TabsControl {
  const [state, setState] = useState(() => {
    const kept = recall(tenant)
    return linked === undefined ? kept : withLink(kept, linked)
  })
  const change = (next: SqlTabs) => {
    setState(next)
    localStorage.setItem(keyOf(tenant), JSON.stringify(next))
  }
  return {
    ...state,
    write: (sql) => change(edited(state, state.open, { sql })),
    rename: (id, name) => change(edited(state, id, { name: name.trim() || 'Query' })),
    show: (open) => change({ ...state, open }),
    add: () => change(withTab(state)),
    close: (id) => {
      change(withoutTab(state, id))
      onClose(id)
    },
    bring: (sql) => change(withSql(state, sql)),
  }
}

function recall(tenant: string): SqlTabs {
  try {
    return parseTabs(JSON.parse(localStorage.getItem(keyOf(tenant)) ?? 'null'))
  } catch {
    return parseTabs(undefined)
  }
}

function keyOf(tenant: string): string {
  return `tenantry.sql.tabs.${tenant}`
}
