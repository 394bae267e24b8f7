// The credential that the user pasted into the tokens screen or into the palette. It stays in memory and out of the address.
import { useSyncExternalStore } from 'react'

let pasted = ''
const listeners = new Set<() => void>()

export function usePastedCredential(): string {
  return useSyncExternalStore(subscribe, () => pasted)
}

export function pasteCredential(text: string): void {
  pasted = text
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
