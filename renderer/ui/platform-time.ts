// Platform time for the kit: the shell provides it.
import { type Context, createContext, useCallback, useContext, useSyncExternalStore } from 'react'

export interface PlatformTime {
  /** Milliseconds since 1970, platform time. */
  readonly now: () => number
  /** Calls about once a second and whenever the clock was moved. */
  readonly subscribe: (listener: () => void) => () => void
  /** Milliseconds since 1970 of an ISO 8601 text. */
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

/** Platform time in milliseconds since 1970, rounded down to `stepMillis`: renders again only when that changes. */
export function useNow(stepMillis = 1_000): number {
  const time = usePlatformTime()
  const read = useCallback(
    () => Math.floor(time.now() / stepMillis) * stepMillis,
    [time, stepMillis],
  )
  return useSyncExternalStore(time.subscribe, read)
}
