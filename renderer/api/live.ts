// The state of the event stream for all screens, updated at most once per animation frame.
import { useSyncExternalStore } from 'react'
import type { EventBatch, LiveEvent } from '../../emulator/contract/events.ts'
import { adminTokenState, onAdminToken, wantAdminToken } from './admin-token.ts'
import { eventsAtFirst } from './client.ts'
import { applyEvents, EMPTY_SNAPSHOT, type LiveSnapshot } from './live-buffer.ts'
import type { LiveNews, LiveSource } from './live-reader.ts'
import { openLiveSource } from './live-source.ts'
import { wallNow } from './time.ts'

let snapshot = EMPTY_SNAPSHOT
let waiting: LiveEvent[] = []
let isFrameAsked = false
let isStarted = false
let source: LiveSource | undefined
let wantsRequests = true
const listeners = new Set<() => void>()
const eventListeners = new Set<(events: readonly LiveEvent[]) => void>()

/** Subscribes a component to one part of the state. `select` must return the same value for the same snapshot. */
export function useLive<Part>(select: (snapshot: LiveSnapshot) => Part): Part {
  return useSyncExternalStore(subscribeLive, () => select(snapshot))
}

export function liveSnapshot(): LiveSnapshot {
  return snapshot
}

export function subscribeLive(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls the listener with the events that arrived before each animation frame, in order. */
export function onLiveEvents(listener: (events: readonly LiveEvent[]) => void): () => void {
  eventListeners.add(listener)
  return () => eventListeners.delete(listener)
}

/** Opens the event stream until the page closes. A second call does nothing while the stream is open. */
export function startLive(): void {
  if (isStarted) return
  isStarted = true
  const opened = openLiveSource(receive, adminTokenState().token)
  source = opened
  opened.wantRequests(wantsRequests)
  onAdminToken(() => {
    const { token } = adminTokenState()
    if (token !== undefined) opened.carryToken(token)
  })
}

/** Chooses whether the page receives single requests. Without them, an application under load does not wait for the page. */
export function wantRequests(isWanted: boolean): void {
  wantsRequests = isWanted
  source?.wantRequests(isWanted)
}

function receive(news: LiveNews): void {
  switch (news.kind) {
    case 'open':
      publish({ ...snapshot, connection: 'live' })
      break
    case 'lost':
      publish({
        ...snapshot,
        connection: snapshot.bootId === undefined ? 'connecting' : 'reconnecting',
      })
      break
    case 'token_wanted':
      // An attempt without a token may be refused after the user has entered a token. Such a refusal has no effect.
      if (news.hadToken || adminTokenState().token === undefined) wantAdminToken()
      break
    case 'batch':
      queue((JSON.parse(news.data) as EventBatch).events)
  }
}

// A hidden page gets no animation frames. A bounded queue keeps the page's events until the page is visible.
function queue(events: readonly LiveEvent[]): void {
  waiting.push(...events)
  if (waiting.length > 20_000) waiting = waiting.slice(-15_000)
  if (isFrameAsked) return
  isFrameAsked = true
  requestAnimationFrame(() => {
    isFrameAsked = false
    const arrived = waiting
    waiting = []
    publish(applyEvents(snapshot, arrived, wallNow(), eventsAtFirst()))
    for (const listener of eventListeners) listener(arrived)
  })
}

function publish(next: LiveSnapshot): void {
  snapshot = next
  for (const listener of listeners) listener()
}
