// Fills the ports of realtime with what the foundation has, and lets it hear of projects that go.
import type { SocketFaults } from '../core/fault.ts'
import { STATE_REPLACED } from '../projects/lifecycle.ts'
import { createRealtimeService, type RealtimeService } from '../realtime/app.ts'
import { DEFAULT_LIMITS } from '../realtime/limits.ts'
import { createChangeJudge } from '../realtime/row-changes/judge/judge-by-policies.ts'
import { createChangeSubscriptions } from '../realtime/row-changes/subscribe/subscribe-channel.ts'
import type { Foundation } from './open-foundation.ts'

export function openRealtime(foundation: Foundation, faults: SocketFaults): RealtimeService {
  const { stores, revokedUsers, signingKeys, lifecycle, clock, wallClock, ids, observe } =
    foundation
  const { engine } = foundation
  const changes = createChangeSubscriptions({
    engine,
    source: foundation.changes,
    judge: createChangeJudge(engine),
    limits: DEFAULT_LIMITS,
    clock,
    wallClock,
    observe,
  })
  const realtime = createRealtimeService({
    signingKeys,
    projects: stores.projects,
    standings: revokedUsers,
    changes,
    faults,
    clock,
    wallClock,
    ids,
    observe,
  })
  lifecycle.listen({
    offline: ({ schemaName }) => realtime.recheck(schemaName),
    keysReplaced: ({ schemaName }) => realtime.recheck(schemaName),
    stateReplaced: () => realtime.closeAll(STATE_REPLACED),
  })
  return realtime
}
