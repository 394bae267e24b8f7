// Stores the actions of the palette (Ctrl/Cmd+K). Each screen adds its own actions while it is open.
import { useEffect } from 'react'

export interface PaletteAction {
  /** Unique id. A second action with the same id replaces the first. */
  readonly id: string
  readonly label: string
  /** Heading above the action: "Mailbox", "SQL console". */
  readonly group: string
  readonly keys?: string
  readonly run: () => void
}

let actions: ReadonlyMap<string, PaletteAction> = new Map()
const listeners = new Set<() => void>()

/** The current actions. Returns the same map object until an action is added or removed. */
export function paletteActions(): ReadonlyMap<string, PaletteAction> {
  return actions
}

export function onPaletteActions(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Adds actions to the palette while the calling component is mounted. The caller passes the same array while the
 * actions don't change.
 */
export function usePaletteActions(offered: readonly PaletteAction[]): void {
  useEffect(() => {
    change((next) => {
      for (const action of offered) next.set(action.id, action)
    })
    return () =>
      change((next) => {
        for (const { id } of offered) next.delete(id)
      })
  }, [offered])
}

function change(edit: (next: Map<string, PaletteAction>) => void): void {
  const next = new Map(actions)
  edit(next)
  actions = next
  for (const listener of listeners) listener()
}
