// GET /_emulator/v1/events: the stream of live events.
import type { Hono } from 'hono'
import { EVENT_OPERATIONS } from '../../../contract/events.ts'
import { type Bindings, mount } from '../../../insight/api-kit/mount.ts'
import type { EventFeeds } from '../../../insight/journal/live/event-feeds.ts'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

export function mountEvents(app: Hono<Bindings>, { feed }: { readonly feed: EventFeeds }): void {
  mount(app, EVENT_OPERATIONS, {
    'GET /events': ({ c, query }) => {
      const after = c.req.header('last-event-id') ?? ''
      const place = /^\d{1,15}$/.test(after) ? Number(after) : undefined
      const chosen = query.requests === 'true' ? feed.whole : feed.quiet
      return c.body(chosen.open(place, query.watches === 'true'), 200, HEADERS)
    },
  })
}
