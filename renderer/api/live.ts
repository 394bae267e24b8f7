// One event stream for all screens: read with fetch, so that a header may carry the admin token; reconnects by itself; what
// arrives is told at most once per animation frame.
import { useSyncExternalStore } from 'react'
import type { EventBatch, LiveEvent } from '../../emulator/contract/events.ts'
import { onAdminToken } from './admin-token.ts'
import { emulatorFetch } from './client.ts'
import { createFrameReader } from './event-frames.ts'
import { applyEvents, EMPTY_SNAPSHOT, type LiveSnapshot } from './live-buffer.ts'
import { after, wallNow } from './time.ts'

/** Wall milliseconds before the first and at most before any further attempt. */
const RETRY_MILLIS = { first: 250, most: 5_000 }

let snapshot = EMPTY_SNAPSHOT
let waiting: LiveEvent[] = []
let isFrameAsked = false
let lastEventId: string | undefined
let isStarted = false
const listeners = new Set<() => void>()
const eventListeners = new Set<(events: readonly LiveEvent[]) => void>()

/** Watches one part of what the stream told; `select` must give the same value for the same snapshot. */
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

/** Calls with the events of each frame, in order. */
export function onLiveEvents(listener: (events: readonly LiveEvent[]) => void): () => void {
  eventListeners.add(listener)
  return () => eventListeners.delete(listener)
}

/** Opens the stream, once for the page's whole life. */
export function startLive(): void {
  if (isStarted) return
  isStarted = true
  void keepReading()
}

async function keepReading(): Promise<never> {
  let pause = RETRY_MILLIS.first
  for (;;) {
    try {
      await readStream(() => {
        pause = RETRY_MILLIS.first
      })
    } catch {
      // The connection state says it; what the emulator answered is shown by the screens' own requests.
    }
    tell({ ...snapshot, connection: snapshot.bootId === undefined ? 'connecting' : 'reconnecting' })
    await pauseOrToken(pause)
    pause = Math.min(pause * 2, RETRY_MILLIS.most)
  }
}

async function readStream(onOpen: () => void): Promise<void> {
  const response = await emulatorFetch('/events', {
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  })
  if (response.body === null) return
  onOpen()
  tell({ ...snapshot, connection: 'live' })
  const read = createFrameReader()
  for await (const piece of response.body.pipeThrough(new TextDecoderStream()))
    for (const frame of read(piece)) {
      if (frame.id !== undefined) lastEventId = frame.id
      queue((JSON.parse(frame.data) as EventBatch).events)
    }
}

// A hidden page gets no frames: its events wait, and no more of them than the longest list keeps.
function queue(events: readonly LiveEvent[]): void {
  waiting.push(...events)
  if (waiting.length > 20_000) waiting = waiting.slice(-15_000)
  if (isFrameAsked) return
  isFrameAsked = true
  requestAnimationFrame(() => {
    isFrameAsked = false
    const arrived = waiting
    waiting = []
    tell(applyEvents(snapshot, arrived, wallNow()))
    for (const listener of eventListeners) listener(arrived)
  })
}

function pauseOrToken(millis: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = onAdminToken(done)
    const cancel = after(millis, done)
    function done(): void {
      stop()
      cancel()
      resolve()
    }
  })
}

function tell(next: LiveSnapshot): void {
  snapshot = next
  for (const listener of listeners) listener()
}
