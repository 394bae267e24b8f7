// Fills the ports of the inspector's live side (events, whole requests, realtime, overview) with what the foundation has.
import type { AuthDeps } from '../auth/deps.ts'
import { createUserManagement } from '../auth/users/manage-users.ts'
import type { InspectorDeps } from '../emulator-api/app.ts'
import { shownProjects } from '../emulator-api/overview/show-platform.ts'
import type { RealtimeService } from '../realtime/app.ts'
import type { EdgeFetch } from '../server/edge.ts'
import { version } from '../version.ts'
import type { Inspection } from './inspection.ts'
import type { Foundation } from './open-foundation.ts'

export interface LiveParts {
  readonly auth: AuthDeps
  readonly inspection: Inspection
  readonly realtime: RealtimeService
  /** The edge itself, for what is sent again. */
  readonly fetch: EdgeFetch
}

export function liveDeps(
  foundation: Foundation,
  { auth, inspection, realtime, fetch }: LiveParts,
): Pick<InspectorDeps, 'feed' | 'requests' | 'overview' | 'realtime'> {
  const { feed, recordings, changes } = inspection
  const { journal, stores, signingKeys, clock, wallClock, ids, engine, storage } = foundation
  const { projects } = stores
  const records = { stores, ownerId: foundation.developer.id }
  const users = createUserManagement(auth)
  return {
    feed,
    requests: {
      journal,
      recordings,
      changes,
      replaying: { signingKeys, projects, clock, ids, send: (request) => send(fetch, request) },
    },
    realtime: {
      projects,
      changes,
      socketsOf: (schemaName) => realtime.views(schemaName),
      capturedTables: foundation.capturedTables,
    },
    overview: {
      version,
      dataDir: foundation.dataDir,
      startedAt: wallClock.now(),
      journal,
      records,
      engine,
      engineStats: () => engine.stats(),
      countUsers: async (schemaName) =>
        (await users.list(schemaName, { limit: 1, offset: 0, search: '' })).total,
      storedBytes: (schemaName) => storage.buckets.storedBytes(schemaName),
      projects: () => shownProjects(records),
      realtimeLoad: () => {
        const sockets = realtime.views()
        const channels = sockets.reduce((sum, socket) => sum + socket.channels.length, 0)
        return { sockets: sockets.length, channels }
      },
      memoryBytes: () => process.memoryUsage.rss(),
      wallClock,
    },
  }
}

async function send(
  fetch: EdgeFetch,
  request: Request,
): Promise<{ readonly requestId: string; readonly response: Response }> {
  let requestId = ''
  const response = await fetch(request, undefined, (id) => {
    requestId = id
  })
  return { requestId, response }
}
