// Snapshots and reset over /_emulator/v1 (contract/snapshots.ts).
import type { Hono } from 'hono'
import { z } from 'zod'
import { type Bindings, decodeBody, decodeQuery } from '../api-kit/decode.ts'
import type { SnapshotList } from '../contract/snapshots.ts'
import type { Snapshots } from './snapshots.ts'

const snapshotName = z
  .string()
  .regex(
    /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/,
    'must be 1 to 64 letters, digits, "-", "_" or ".", and not begin with "."',
  )

export const snapshotOrder = z.strictObject({
  name: snapshotName,
  note: z.string().max(1_000).optional(),
  replace: z.boolean().optional(),
})

export const compareQuery = z.strictObject({ with: snapshotName.optional() })

export function mountSnapshots(
  app: Hono<Bindings>,
  { snapshots }: { readonly snapshots: Snapshots },
): void {
  app.get('/snapshots', (c) => {
    const list: SnapshotList = { snapshots: snapshots.list() }
    return c.json(list)
  })
  app.post('/snapshots', async (c) =>
    c.json(await snapshots.save(await decodeBody(c, snapshotOrder)), 201),
  )
  app.post('/snapshots/:name/restore', async (c) =>
    c.json(await snapshots.restore(c.req.param('name'))),
  )
  app.delete('/snapshots/:name', async (c) => c.json(await snapshots.remove(c.req.param('name'))))
  app.get('/snapshots/:name/compare', async (c) =>
    c.json(await snapshots.compare(c.req.param('name'), decodeQuery(c, compareQuery).with)),
  )
  app.post('/reset', async (c) => c.json(await snapshots.reset()))
}

/** What must not wait for itself: these change the whole state, watch, or send requests of their own. */
export function isFreeOfStates(request: Request): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const { pathname } = new URL(request.url)
  return FREE.test(pathname)
}

const FREE = /^\/_emulator\/v1\/(snapshots|reset|fixtures|clock)(\/|$)|\/replay$/
