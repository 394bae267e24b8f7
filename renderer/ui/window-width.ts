// Whether the window is narrow. In a narrow window, the rail shows only icons. The limit equals the breakpoint `md` of
// styles/tokens.css.
import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(max-width: 899px)')

export function useNarrowWindow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches)
}

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}
