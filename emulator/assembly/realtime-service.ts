// Fills the ports of realtime with what the foundation has, and lets it hear of projects that go.
import { createRealtimeService, type RealtimeService } from '../realtime/app.ts'
import { NO_CHANGES } from '../realtime/change-subscriptions.ts'
import type { Foundation } from './open-foundation.ts'

export function openRealtime(foundation: Foundation): RealtimeService {
  const { stores, departed, signingKeys, lifecycle, clock, wallClock, ids, observe } = foundation
  const realtime = createRealtimeService({
    signingKeys,
    projects: stores.projects,
    standings: departed,
    changes: NO_CHANGES,
    clock,
    wallClock,
    ids,
    observe,
  })
  lifecycle.listen({
    offline: ({ schemaName }) => realtime.recheck(schemaName),
    keysReplaced: ({ schemaName }) => realtime.recheck(schemaName),
  })
  return realtime
}
