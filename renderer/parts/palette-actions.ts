// Actions of the palette (Ctrl/Cmd+K): a screen adds its own while it shows.
import { useEffect } from 'react'

export interface PaletteAction {
  /** Unique; a second action of the same id replaces the first. */
  readonly id: string
  readonly label: string
  /** Heading: "Mailbox", "SQL console". */
  readonly group: string
  readonly keys?: string
  readonly run: () => void
}

let actions: ReadonlyMap<string, PaletteAction> = new Map()
const listeners = new Set<() => void>()

/** The current actions; the same map until one is added or removed. */
export function paletteActions(): ReadonlyMap<string, PaletteAction> {
  return actions
}

export function onPaletteActions(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Offers actions while the calling component shows; give the same array when nothing changed. */
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
