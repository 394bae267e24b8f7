// GET /_emulator/v1/events: the stream of live events.
import type { Hono } from 'hono'
import type { Bindings } from '../../api-kit/decode.ts'
import type { EventFeed } from '../../journal/live/event-feed.ts'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

export function mountEvents(app: Hono<Bindings>, { feed }: { readonly feed: EventFeed }): void {
  app.get('/events', (c) => {
    const after = c.req.header('last-event-id') ?? ''
    return c.body(feed.open(/^\d{1,15}$/.test(after) ? Number(after) : undefined), 200, HEADERS)
  })
}
