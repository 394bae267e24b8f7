// Two feeds of live events. The whole feed has every event. The quiet feed leaves out the events of single requests, row changes
// and realtime messages. A page that shows no such list then costs nothing while an application is under load.
import type { Clock } from '../../../core/clock.ts'
import { SECOND_MILLIS } from '../../../core/time.ts'
import { createEventFeed, type EventFeed, type EventFeedOptions } from './event-feed.ts'

export interface EventFeeds extends Pick<EventFeed, 'close' | 'count'> {
  /** Both feeds. `make` must return the same event when it is called twice. */
  readonly all: Pick<EventFeed, 'tell'>
  /** The whole feed, for events of single requests, changes and messages. */
  readonly whole: Pick<EventFeed, 'isWatched' | 'open' | 'tell'>
  readonly quiet: Pick<EventFeed, 'open'>
  /**
   * Whether to record the bodies of the next request. True while the whole feed is watched. While only the quiet feed is watched,
   * true for a few requests a second.
   */
  readonly isWatched: boolean
  /** Counts a request whose bodies are recorded. */
  countWatched(): void
}

/**
 * Requests a second whose bodies are recorded for the quiet feed. When the user opens the list, the bodies of requests made by
 * hand are therefore available.
 */
const LIGHT_PER_SECOND = 20

export function createEventFeeds(options: EventFeedOptions): EventFeeds {
  const startedAt = options.wallClock.now()
  const whole = createEventFeed({ ...options, startedAt })
  const quiet = createEventFeed({ ...options, startedAt, count: whole.count })
  const light = perSecond(options.wallClock)
  return {
    whole,
    quiet,
    count: whole.count,
    all: {
      tell: (make, once) => {
        whole.tell(make, once)
        quiet.tell(make, once)
      },
    },
    get isWatched() {
      return whole.isWatched || (quiet.isWatched && light.hasRoom())
    },
    countWatched: () => light.count(),
    close: async () => {
      await Promise.all([whole.close(), quiet.close()])
    },
  }
}

/** Counts within each second of the wall clock. */
function perSecond(wallClock: Clock) {
  let second = 0
  let counted = 0
  return {
    hasRoom: (): boolean => {
      const now = Math.floor(wallClock.now() / SECOND_MILLIS)
      if (now !== second) {
        second = now
        counted = 0
      }
      return counted < LIGHT_PER_SECOND
    },
    count: (): void => {
      counted += 1
    },
  }
}
