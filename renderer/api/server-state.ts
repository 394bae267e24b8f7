// Whether the emulator answers, and whether it came back with other data. The shell shows both in a banner.
import { useSyncExternalStore } from 'react'
import type { ProjectList } from '../../emulator/contract/overview.ts'
import { call } from './client.ts'
import { PROJECT_LIST } from './info.ts'
import { liveSnapshot, subscribeLive } from './live.ts'
import { queryClient } from './query-client.ts'
import { hasSameData } from './same-data.ts'
import { after } from './time.ts'

export interface ServerState {
  /** The event stream has been down for longer than `PATIENCE_MILLIS`. */
  readonly isGone: boolean
  /** The emulator was restarted with other data since the page was loaded, and the user has not dismissed the notice. */
  readonly wasReset: boolean
}

/** Wall-clock milliseconds without a stream until the emulator counts as stopped. A shorter break is only an interruption. */
const PATIENCE_MILLIS = 700

let state: ServerState = { isGone: false, wasReset: false }
const listeners = new Set<() => void>()

export function useServerState(): ServerState {
  return useSyncExternalStore(subscribe, () => state)
}

export function dismissReset(): void {
  change({ wasReset: false })
}

/** Watches the event stream until the page closes. */
export function watchServer(): void {
  let { bootId } = liveSnapshot()
  let stopWaiting: (() => void) | undefined
  subscribeLive(() => {
    const now = liveSnapshot()
    if (now.connection === 'reconnecting') {
      stopWaiting ??= after(PATIENCE_MILLIS, () => change({ isGone: true }))
      return
    }
    stopWaiting?.()
    stopWaiting = undefined
    change({ isGone: false })
    if (now.bootId === bootId) return
    const isRestart = bootId !== undefined
    bootId = now.bootId
    // Reads the cached list now, because the same event makes all queries load again.
    const before = queryClient.getQueryData<ProjectList>(PROJECT_LIST)
    if (isRestart && before !== undefined) void compare(before)
  })
}

async function compare(before: ProjectList): Promise<void> {
  try {
    if (!hasSameData(before, await call('GET /projects'))) change({ wasReset: true })
  } catch {
    // The emulator stopped again, or requires a token. The next restart starts a new comparison.
  }
}

function change(part: Partial<ServerState>): void {
  const next = { ...state, ...part }
  if (next.isGone === state.isGone && next.wasReset === state.wasReset) return
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
