// Creates the realtime service, which has a WebSocket and two HTTP routes (docs/wire/realtime.md).
import type { Clock } from '../../core/clock.ts'
import { NO_SOCKET_FAULTS, type SocketFaults } from '../../core/fault.ts'
import type { IdSource } from '../../core/id-source.ts'
import type { SchemaName } from '../../core/names.ts'
import type { Observer } from '../../core/observation.ts'
import type { ServiceApp } from '../../core/request-env.ts'
import { parseRouteKey } from '../../core/routes.ts'
import type { SocketService } from '../../core/socket-service.ts'
import type { SigningKeys } from '../../platform/credentials/signing-keys.ts'
import type { UserStandings } from '../../platform/credentials/standing.ts'
import type { ProjectLookup } from '../../platform/projects/project.ts'
import {
  BROADCAST_ROUTES,
  type BroadcastDeps,
  createMessageGate,
} from './broadcast/broadcast-routes.ts'
import type { Channel } from './channels/channel.ts'
import { Hub } from './channels/hub.ts'
import {
  RealtimeError,
  renderRealtimeError,
  renderRealtimeInternal,
  renderRealtimeUnavailable,
} from './errors.ts'
import { DEFAULT_LIMITS, type RealtimeLimits } from './limits.ts'
import type { ChangeSubscriptions } from './row-changes/change-subscriptions.ts'
import { admitSocket } from './sockets/handshake.ts'
import { Sockets } from './sockets/open-sockets.ts'
import type { SocketView } from './sockets/socket-views.ts'
import { DueWatch } from './tokens/due-watch.ts'
import { createTokenReader } from './tokens/realtime-token.ts'
import { NO_TRAFFIC, type RealtimeTraffic } from './traffic.ts'

export interface RealtimeDeps {
  readonly signingKeys: SigningKeys
  readonly projects: ProjectLookup
  readonly standings: UserStandings
  readonly changes: ChangeSubscriptions
  readonly clock: Clock
  readonly wallClock: Clock
  readonly ids: IdSource
  readonly observe: Observer
  readonly limits?: RealtimeLimits
  readonly faults?: SocketFaults
  readonly traffic?: RealtimeTraffic
}

export interface RealtimeService {
  readonly app: ServiceApp
  readonly sockets: SocketService
  /** Returns the open sockets of a project, or of all projects, for the inspector. */
  views(schemaName?: SchemaName): readonly SocketView[]
  /**
   * Closes a project's sockets whose token is no longer valid, and sends the reason. The emulator calls `recheck` after the
   * project went offline, was purged or got new keys.
   */
  recheck(schemaName: SchemaName): void
  /** Closes all sockets and sends the reason. Clients reconnect automatically. */
  closeAll(reason: string): void
}

export function createRealtimeService(deps: RealtimeDeps): RealtimeService {
  const { observe, limits = DEFAULT_LIMITS, faults = NO_SOCKET_FAULTS, traffic = NO_TRAFFIC } = deps
  const failed = (error: unknown): void =>
    observe({ kind: 'internalFailure', requestId: 'realtime', error })
  const hub = new Hub()
  const tokens = createTokenReader(deps)
  const watch = new DueWatch<Channel>(deps.clock, (channel) => {
    channel.checkToken().catch(failed)
  })
  const sockets = new Sockets({ ...deps, hub, tokens, watch, limits, faults, traffic })
  return {
    app: createApp({
      hub,
      tokens,
      limits,
      admitMessages: createMessageGate(limits, deps.wallClock),
    }),
    sockets: {
      maxFrameBytes: limits.frameBytes,
      admit: (handshake) => admitSocket({ tokens, sockets, limits, faults }, handshake),
    },
    views: (schemaName) => sockets.views(schemaName),
    closeAll: (reason) => sockets.closeAll(reason),
    recheck: (schemaName) => {
      sockets.recheck(schemaName).catch(failed)
    },
  }
}

function createApp(deps: BroadcastDeps): ServiceApp {
  const routes = Object.entries(BROADCAST_ROUTES).map(([key, { handler }]) => {
    const { methods, path } = parseRouteKey(key)
    const pattern = new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    return { methods, pattern, handle: handler(deps) }
  })
  return {
    answer: (sent, env) => {
      const { method } = sent
      const path = sent.path.replace(/^\/realtime\/v1(?=\/)/, '')
      for (const { methods, pattern, handle } of routes) {
        const match = methods.includes(method) ? pattern.exec(path) : null
        if (match === null) continue
        const { topic = '', event = '' } = match.groups ?? {}
        return handle({ request: sent.web, env, topic: decoded(topic), event: decoded(event) })
      }
      throw new RealtimeError(
        'not_found',
        `Realtime has no route ${method} ${path}. Open the socket at /websocket with a WebSocket client.`,
      )
    },
    renderError: renderRealtimeError,
    renderUnavailable: renderRealtimeUnavailable,
    renderInternal: renderRealtimeInternal,
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new RealtimeError(
      'not_found',
      'The path contains invalid percent-encoding. Encode the topic and the event as UTF-8.',
    )
  }
}
