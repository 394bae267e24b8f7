// Provides platform time to all screens. Uses the event stream or GET /clock, whichever reported the clock last.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { ClockState } from '../../emulator/contract/clock.ts'
import { call } from './client.ts'
import { liveSnapshot, subscribeLive } from './live.ts'
import {
  type ClockReading,
  every,
  isClockMoved,
  parseInstant,
  platformTimeAt,
  wallNow,
  wallTimeAt,
} from './time.ts'

const RENEW_MILLIS = 5_000

let polled: ClockReading | undefined
const listeners = new Set<() => void>()
let stopTicking: (() => void) | undefined

/** Loads the state of the platform clock. The query reloads after clock events. */
export function useClock(): UseQueryResult<ClockState> {
  return useQuery({
    queryKey: ['clock'],
    // The query polls only while the event stream is down, because no event then reports a moved clock.
    refetchInterval: () => (liveSnapshot().connection === 'live' ? false : RENEW_MILLIS),
    queryFn: async ({ signal }) => {
      const state = await call('GET /clock', { signal })
      polled = { state, readAt: wallNow() }
      for (const listener of listeners) listener()
      return state
    },
  })
}

/** The source of platform time for the components in ui/ (ui/platform-time.ts). */
export const platformTime: {
  readonly now: () => number
  readonly parse: (text: string) => number | undefined
  readonly subscribe: (listener: () => void) => () => void
} = {
  now: platformNow,
  parse: parseInstant,
  subscribe: subscribeClock,
}

/** Returns platform time in milliseconds since 1970. */
export function platformNow(): number {
  return platformTimeAt(newest(liveSnapshot().clock, polled), wallNow())
}

const STEP_MILLIS = 1_000

/** The emulator's wall-clock time in milliseconds since 1970, in steps of a second. */
export function useWallTime(): number {
  return useSyncExternalStore(subscribeClock, () => {
    const millis = wallTimeAt(newest(liveSnapshot().clock, polled), wallNow())
    return Math.floor(millis / STEP_MILLIS) * STEP_MILLIS
  })
}

/** Whether platform time differs from the emulator's wall-clock time. */
export function useIsClockMoved(): boolean {
  return useSyncExternalStore(subscribeClock, () =>
    isClockMoved(newest(liveSnapshot().clock, polled)),
  )
}

/** Calls the listener every second and after each move of the clock. */
function subscribeClock(listener: () => void): () => void {
  listeners.add(listener)
  stopTicking ??= startTicking()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stopTicking?.()
    stopTicking = undefined
  }
}

function startTicking(): () => void {
  const notify = () => {
    for (const listener of listeners) listener()
  }
  let seen = liveSnapshot().clock
  const stopSeconds = every(1_000, notify)
  const stopLive = subscribeLive(() => {
    if (liveSnapshot().clock === seen) return
    seen = liveSnapshot().clock
    notify()
  })
  return () => {
    stopSeconds()
    stopLive()
  }
}

function newest(
  one: ClockReading | undefined,
  other: ClockReading | undefined,
): ClockReading | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one.readAt >= other.readAt ? one : other
}
