// GET /_emulator/v1/projects/:ref/realtime and …/realtime/changes (contract/realtime.ts).
import type { Hono } from 'hono'
import { z } from 'zod'
import { type Bindings, decodeQuery, findProject } from '../../api-kit/decode.ts'
import type {
  JudgedChangePage,
  RealtimeChannel,
  RealtimeConnection,
  RealtimeOverview,
} from '../../contract/realtime.ts'
import type { JsonObject, JsonValue } from '../../core/json.ts'
import type { SchemaName } from '../../core/names.ts'
import { toIso } from '../../core/time.ts'
import type { ProjectRegistry } from '../../projects/registry.ts'
import type { ChannelView, SocketView } from '../../realtime/sockets/socket-views.ts'
import type { ChangeLog } from './change-log.ts'

export interface RealtimeRouteDeps {
  readonly projects: ProjectRegistry
  readonly changes: ChangeLog
  readonly socketsOf: (schemaName: SchemaName) => readonly SocketView[]
  readonly capturedTables: (schemaName: SchemaName) => readonly string[]
}

const LIMIT = { default: 100, max: 500 }

/** Query of GET …/realtime/changes. */
export const changesQuery = z.strictObject({
  before: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(LIMIT.max).default(LIMIT.default),
})

export function mountRealtime(app: Hono<Bindings>, deps: RealtimeRouteDeps): void {
  const { projects, changes, socketsOf, capturedTables } = deps
  app.get('/projects/:ref/realtime', (c) => {
    const { schemaName } = findProject(projects, c.req.param('ref'))
    return c.json({
      connections: socketsOf(schemaName).map(connectionOf),
      captured_tables: capturedTables(schemaName).toSorted(),
    } satisfies RealtimeOverview)
  })
  app.get('/projects/:ref/realtime/changes', (c) => {
    const { schemaName } = findProject(projects, c.req.param('ref'))
    const { before, limit } = decodeQuery(c, changesQuery)
    const query = { schemaName, limit, ...(before === undefined ? {} : { before }) }
    return c.json({ changes: changes.find(query) } satisfies JudgedChangePage)
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
