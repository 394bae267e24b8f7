// What the inspector keeps and tells of a running emulator: live events, whole requests, judged row changes.
import type { FaultBook } from '../inspector/faults/fault-book.ts'
import { createEventFeed, type EventFeed } from '../inspector/live/event-feed.ts'
import { tellEvents } from '../inspector/live/tell-events.ts'
import { type ChangeLog, createChangeLog } from '../inspector/realtime-view/change-log.ts'
import { createRecorder, type Recordings } from '../inspector/recording/recorder.ts'
import { version } from '../version.ts'
import type { Foundation } from './open-foundation.ts'

export interface Inspection {
  readonly feed: EventFeed
  readonly recordings: Recordings
  readonly changes: ChangeLog
}

/** Begins to listen. */
export function openInspection(
  foundation: Foundation,
  faults: Pick<FaultBook, 'onChange'>,
): Inspection {
  const { config, wallClock } = foundation
  const feed = createEventFeed({ wallClock, version })
  const changes = createChangeLog()
  const recordings = createRecorder({
    bodies: config.journalBodies,
    isWatched: () => feed.isWatched,
  })
  foundation.addObserver((observation) => changes.observe(observation))
  foundation.addObserver(tellEvents(feed, { ...foundation, changes, faults }))
  return { feed, recordings, changes }
}
