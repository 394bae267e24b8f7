// Stores the tabs of a tenant's console in the browser. A statement from a link opens its own tab.
import { useState } from 'react'

export interface SqlTab {
  readonly id: string
  readonly name: string
  readonly sql: string
  /** The statement of the link that opened this tab. */
  readonly origin?: string
  /** Values of $1, $2 … */
  readonly values?: readonly (string | null)[]
}

/** A statement to open, with the values of its parameters. */
export type GivenSql = Pick<SqlTab, 'sql' | 'values'>

export interface SqlTabs {
  /** The list always contains at least one tab. */
  readonly tabs: readonly SqlTab[]
  /** Id of the visible tab. */
  readonly open: string
}

export const FIRST_TAB: SqlTab = { id: '1', name: 'Query 1', sql: '' }
export const FIRST_TABS: SqlTabs = { tabs: [FIRST_TAB], open: FIRST_TAB.id }

/** Puts a statement into the visible tab when that tab is empty, else into a new tab. */
export function withSql(state: SqlTabs, given: GivenSql, origin?: string): SqlTabs {
  const open = state.tabs.find(({ id }) => id === state.open)
  if (open?.sql.trim() === '')
    return edited(state, open.id, { ...given, ...(origin && { origin }) })
  return withTab(state, given, origin)
}

/** Opens a link's statement in the tab of an earlier visit, or in a new tab. */
export function withLink(state: SqlTabs, given: GivenSql): SqlTabs {
  const { sql, values } = given
  const known = state.tabs.find((tab) => tab.origin === sql || tab.sql === sql)
  if (known === undefined) return withSql(state, given, sql)
  const open = { ...state, open: known.id }
  return values === undefined ? open : edited(open, known.id, { values })
}

export function withTab(state: SqlTabs, given: GivenSql = { sql: '' }, origin?: string): SqlTabs {
  const number = 1 + Math.max(...state.tabs.map(({ id }) => Number(id)))
  const tab = { id: String(number), name: `Query ${number}`, ...given }
  return {
    tabs: [...state.tabs, origin === undefined ? tab : { ...tab, origin }],
    open: tab.id,
  }
}

/** Closes a tab and opens its neighbour. Closing the last tab leaves an empty tab. */
export function withoutTab(state: SqlTabs, id: string): SqlTabs {
  const index = state.tabs.findIndex((tab) => tab.id === id)
  const tabs = state.tabs.filter((tab) => tab.id !== id)
  const next = tabs[Math.min(index, tabs.length - 1)]
  if (next === undefined) return FIRST_TABS
  return { tabs, open: state.open === id ? next.id : state.open }
}

export function edited(
  state: SqlTabs,
  id: string,
  change: Partial<Pick<SqlTab, 'sql' | 'name' | 'origin' | 'values'>>,
): SqlTabs {
  return { ...state, tabs: state.tabs.map((tab) => (tab.id === id ? { ...tab, ...change } : tab)) }
}

/** Returns the stored tabs. Returns the initial tabs when the stored value is invalid. */
export function parseTabs(kept: unknown): SqlTabs {
  if (typeof kept !== 'object' || kept === null) return FIRST_TABS
  const { tabs, open } = kept as { readonly tabs?: unknown; readonly open?: unknown }
  if (!Array.isArray(tabs) || !tabs.every(isTab)) return FIRST_TABS
  const first = tabs[0]
  if (first === undefined) return FIRST_TABS
  return { tabs, open: tabs.find(({ id }) => id === open)?.id ?? first.id }
}

function isTab(value: unknown): value is SqlTab {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, sql, values = [] } = value as Readonly<Record<string, unknown>>
  return (
    isValues(values) &&
    typeof id === 'string' &&
    /^\d{1,9}$/.test(id) &&
    typeof name === 'string' &&
    typeof sql === 'string'
  )
}

/** Reads the values in a link. Returns `undefined` when the values are invalid. */
export function parseValues(text: string | undefined): readonly (string | null)[] | undefined {
  try {
    const values: unknown = JSON.parse(text ?? 'null')
    return isValues(values) ? values : undefined
  } catch {
    return undefined
  }
}

function isValues(value: unknown): value is readonly (string | null)[] {
  return Array.isArray(value) && value.every((one) => one === null || typeof one === 'string')
}

export interface TabsControl extends SqlTabs {
  readonly write: (sql: string) => void
  readonly setValues: (values: readonly (string | null)[]) => void
  readonly rename: (id: string, name: string) => void
  readonly show: (id: string) => void
  readonly add: () => void
  readonly close: (id: string) => void
  /** Puts a statement into the visible tab when that tab is empty, else into a new tab. */
  readonly bring: (sql: string, name?: string) => void
}

/** @param onClose called with the id of each tab that closes */
export function useTabs(
  tenant: string,
  linked: GivenSql | undefined,
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
    setValues: (values) => change(edited(state, state.open, { values })),
    rename: (id, name) => change(edited(state, id, { name: name.trim() || 'Query' })),
    show: (open) => change({ ...state, open }),
    add: () => change(withTab(state)),
    close: (id) => {
      change(withoutTab(state, id))
      onClose(id)
    },
    bring: (sql, name) => {
      const next = withSql(state, { sql })
      change(name === undefined ? next : edited(next, next.open, { name }))
    },
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
