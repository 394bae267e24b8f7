// Platform time for the components in ui/. The shell provides the source.
import { type Context, createContext, useCallback, useContext, useSyncExternalStore } from 'react'

export interface PlatformTime {
  /** Returns platform time in milliseconds since 1970. */
  readonly now: () => number
  /** Calls the listener about once a second and whenever the clock is moved. */
  readonly subscribe: (listener: () => void) => () => void
  /** Converts an ISO 8601 text to milliseconds since 1970. */
  readonly parse: (text: string) => number | undefined
}

export const PlatformTimeContext: Context<PlatformTime> = createContext<PlatformTime>({
  now: () => 0,
  subscribe: () => () => {},
  parse: () => undefined,
})

export function usePlatformTime(): PlatformTime {
  return useContext(PlatformTimeContext)
}

/**
 * Returns platform time in milliseconds since 1970, rounded down to `stepMillis`. The component renders again only when
 * the rounded value changes.
 */
export function useNow(stepMillis = 1_000): number {
  const time = usePlatformTime()
  const read = useCallback(
    () => Math.floor(time.now() / stepMillis) * stepMillis,
    [time, stepMillis],
  )
  return useSyncExternalStore(time.subscribe, read)
}
