// What the inspector keeps and tells of a running emulator: live events, whole requests, judged row changes.

import { tellEvents } from '../emulator-api/events/tell-events.ts'
import type { FaultBook } from '../faults/fault-book.ts'
import { createEventFeed, type EventFeed } from '../journal/live/event-feed.ts'
import { createRecorder, type Recordings } from '../journal/recording/recorder.ts'
import { type ChangeLog, createChangeLog } from '../journal/row-changes/change-log.ts'
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
