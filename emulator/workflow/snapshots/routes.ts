// Routes of /_emulator/v1 that manage snapshots and reset the platform (contract/snapshots.ts).

import type { Hono } from 'hono'
import { SNAPSHOT_OPERATIONS } from '../../contract/snapshots.ts'
import type { PlainRequest } from '../../core/plain-http.ts'
import { type Bindings, mount } from '../../insight/api-kit/mount.ts'
import type { Snapshots } from './snapshots.ts'

export function mountSnapshots(
  app: Hono<Bindings>,
  { snapshots }: { readonly snapshots: Snapshots },
): void {
  mount(app, SNAPSHOT_OPERATIONS, {
    'GET /snapshots': () => ({ snapshots: snapshots.list() }),
    'POST /snapshots': ({ body }) => snapshots.save(body),
    'POST /snapshots/:name/restore': ({ params }) => snapshots.restore(params.name),
    'DELETE /snapshots/:name': ({ params }) => snapshots.remove(params.name),
    'GET /snapshots/:name/compare': ({ params, query }) =>
      snapshots.compare(params.name, query.with),
    'POST /reset': ({ body }) => snapshots.reset(body.to),
  })
}

/**
 * Returns whether the request may run while the platform saves or restores its state. Such a request only reads, changes the
 * state itself, or sends further requests.
 */
export function isFreeOfStates({ method, path }: PlainRequest): boolean {
  return method === 'GET' || method === 'HEAD' || FREE.test(path)
}

const FREE =
  /^\/_emulator\/v1\/(snapshots|bundles|reset|fixtures|clock|comparisons)(\/|$)|\/replay$|\/changes\/(apply|undo)$/
