// Routes of /_emulator/v1 that show realtime connections and row changes (contract/realtime.ts).
import type { Hono } from 'hono'
import {
  REALTIME_OPERATIONS,
  type RealtimeChannel,
  type RealtimeConnection,
} from '../../../contract/realtime.ts'
import type { JsonObject, JsonValue } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import { toIso } from '../../../core/time.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import type { ChannelView, SocketView } from '../../../services/realtime/sockets/socket-views.ts'
import { findProject } from '../../api-kit/find-project.ts'
import { type Bindings, mountOnProject } from '../../api-kit/mount.ts'
import type { ChangeLog } from './change-log.ts'

export interface RealtimeRouteDeps {
  readonly projects: ProjectRegistry
  readonly changes: ChangeLog
  readonly socketsOf: (schemaName: SchemaName) => readonly SocketView[]
  readonly capturedTables: (schemaName: SchemaName) => readonly string[]
}

export function mountRealtime(app: Hono<Bindings>, deps: RealtimeRouteDeps): void {
  const { projects, changes, socketsOf, capturedTables } = deps
  mountOnProject(app, REALTIME_OPERATIONS, (reference) => findProject(projects, reference), {
    'GET /projects/:ref/realtime': ({ project: { schemaName } }) => ({
      connections: socketsOf(schemaName).map(connectionOf),
      captured_tables: capturedTables(schemaName).toSorted(),
    }),
    'GET /projects/:ref/realtime/changes': ({ project: { schemaName }, query }) => ({
      changes: changes.find({ schemaName, ...query }),
    }),
  })
}

function connectionOf(socket: SocketView): RealtimeConnection {
  return {
    id: socket.id,
    role: socket.role,
    subject: socket.subject,
    connected_at: toIso(socket.connectedAt),
    channels: socket.channels.map(channelOf),
  }
}

function channelOf(channel: ChannelView): RealtimeChannel {
  return {
    topic: channel.topic,
    is_private: channel.isPrivate,
    role: channel.role,
    subject: channel.subject,
    token_expires_at: toIso(channel.tokenExpiresAt),
    bindings: channel.changeRequests.map(bindingOf),
    presence: channel.presence,
  }
}

const EVENTS = ['*', 'INSERT', 'UPDATE', 'DELETE'] as const

function bindingOf(request: JsonObject): RealtimeChannel['bindings'][number] {
  const named = textOf(request['event'])?.toUpperCase()
  return {
    event: EVENTS.find((event) => event === named) ?? '*',
    schema: textOf(request['schema']) ?? '*',
    table: textOf(request['table']) ?? '*',
    filter: textOf(request['filter']) ?? null,
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
