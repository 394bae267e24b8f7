// Lists all operations that a fault can target, and finds the operation of a request. Pure.

import type { FacedRequest } from '../../../core/fault.ts'
import { percentDecoded } from '../../../core/percent-decoded.ts'
import { EXCHANGE_ROUTE_CODES } from '../../../platform/credentials/token-exchange.ts'
import { AUTH_ROUTE_CODES, AUTH_ROUTES } from '../../../services/auth/routes.ts'
import { CONTROL_ROUTE_CODES, CONTROL_ROUTES } from '../../../services/control/routes.ts'
import { DATA_ROUTES } from '../../../services/data/routes.ts'
import {
  BROADCAST_ROUTE_CODES,
  BROADCAST_ROUTES,
} from '../../../services/realtime/broadcast/broadcast-routes.ts'
import { HANDSHAKE_REFUSALS, JOIN_TEXTS } from '../../../services/realtime/refusals.ts'
import { REALTIME_TOKEN_ROUTE } from '../../../services/realtime/tokens/token-route.ts'
import { STORAGE_TOKEN_ROUTE } from '../../../services/storage/access/token-route.ts'
import {
  RESUMABLE_ROUTE_CODES,
  RESUMABLE_ROUTES,
  S3_ROUTE_CODES,
  S3_ROUTES,
  STORAGE_ROUTE_CODES,
  STORAGE_ROUTES,
} from '../../../services/storage/routes.ts'
import { effectsOn } from '../effects.ts'
import { DATA_ERRORS } from '../errors/data.ts'
import { type FaultOperation, operationsOf } from './fault-operation.ts'

/** Codes that only some operations of the data plane return. All operations of the data plane can return the other codes. */
const OWN_DATA_CODES = new Set(
  Object.values(DATA_ROUTES).flatMap(({ codes }) => codes as readonly string[]),
)
const DATA_ROUTE_CODES = Object.keys(DATA_ERRORS.codes).filter((code) => !OWN_DATA_CODES.has(code))

/** Operations of realtime that are not HTTP routes: opening a socket, joining and delivering (docs/wire/realtime.md#socket). */
const SOCKET_OPERATIONS: readonly FaultOperation[] = [
  {
    service: 'realtime',
    operation: 'socket.open',
    title: 'Opens a socket',
    dialect: 'handshake',
    route: { door: 'socket', methods: ['GET'], path: '*' },
    codes: Object.keys(HANDSHAKE_REFUSALS),
    effects: effectsOn('handshake'),
  },
  {
    service: 'realtime',
    operation: 'channel.join',
    title: 'Joins a channel',
    dialect: 'join',
    codes: Object.keys(JOIN_TEXTS),
    effects: effectsOn('join'),
  },
  {
    service: 'realtime',
    operation: 'message.deliver',
    title: 'Delivers a broadcast, a presence message or a row change to one channel',
    dialect: 'join',
    codes: [],
    effects: effectsOn('delivery'),
  },
]

const EXCHANGE = { dialect: 'exchange', always: EXCHANGE_ROUTE_CODES } as const

/** Rows with the same name describe one operation with several routes. */
export const OPERATIONS: readonly FaultOperation[] = [
  ...operationsOf(CONTROL_ROUTES, { service: 'control', always: CONTROL_ROUTE_CODES }),
  ...operationsOf(AUTH_ROUTES, { service: 'auth', always: AUTH_ROUTE_CODES }),
  ...operationsOf(DATA_ROUTES, { service: 'data', always: DATA_ROUTE_CODES }),
  ...operationsOf(STORAGE_TOKEN_ROUTE, { ...EXCHANGE, service: 'storage', door: 'storageToken' }),
  ...operationsOf(STORAGE_ROUTES, { service: 'storage', always: STORAGE_ROUTE_CODES }),
  ...operationsOf(RESUMABLE_ROUTES, {
    service: 'storage',
    dialect: 'tus',
    always: RESUMABLE_ROUTE_CODES,
  }),
  ...operationsOf(S3_ROUTES, { service: 'storage', dialect: 's3', always: S3_ROUTE_CODES }),
  ...operationsOf(REALTIME_TOKEN_ROUTE, {
    ...EXCHANGE,
    service: 'realtime',
    door: 'realtimeToken',
  }),
  ...operationsOf(BROADCAST_ROUTES, { service: 'realtime', always: BROADCAST_ROUTE_CODES }),
  ...SOCKET_OPERATIONS,
]

/** The parameters of a path, by name. */
export type RouteParams = Readonly<Record<string, string>>

export interface FoundOperation {
  readonly operation: FaultOperation
  readonly params: RouteParams
}

interface Pattern {
  readonly operation: FaultOperation
  readonly methods: readonly string[]
  readonly segments: readonly string[]
}

/** Patterns with more fixed segments come first, then longer patterns, as in storage's router. */
const PATTERNS: ReadonlyMap<string, readonly Pattern[]> = patternsByDoor()

/** Path prefixes of storage and realtime on the single origin. On the hosts of storage and realtime, paths have no prefix. */
const MOUNTS: Readonly<Record<string, RegExp>> = {
  storage: /^\/storage\/v1(?=\/|$)/,
  realtime: /^\/realtime\/v1(?=\/|$)/,
}

/** Finds the operation of a request; `undefined` when no route has this path and method. */
export function findOperation({
  door,
  method,
  path,
}: Pick<FacedRequest, 'door' | 'method' | 'path'>): FoundOperation | undefined {
  const mount = MOUNTS[door]
  const segments = (mount === undefined ? path : path.replace(mount, '')).slice(1).split('/')
  for (const pattern of PATTERNS.get(door) ?? []) {
    const params = pattern.methods.includes(method) ? match(pattern.segments, segments) : undefined
    if (params !== undefined) return { operation: pattern.operation, params }
  }
  return undefined
}

function patternsByDoor(): ReadonlyMap<string, readonly Pattern[]> {
  const patterns = new Map<string, Pattern[]>()
  for (const operation of OPERATIONS) {
    const { route } = operation
    if (route === undefined) continue
    const segments = route.path.replace(/^\//, '').split('/')
    const list = patterns.get(route.door) ?? []
    list.push({ operation, methods: route.methods, segments })
    patterns.set(route.door, list)
  }
  for (const list of patterns.values()) list.sort((a, b) => specificity(b) - specificity(a))
  return patterns
}

function specificity({ segments }: Pattern): number {
  const fixed = segments.filter((segment) => !/^[:*]/.test(segment)).length
  return fixed * 100 + segments.length * 2 + (segments.at(-1) === '*' ? 0 : 1)
}

function match(segments: readonly string[], path: readonly string[]): RouteParams | undefined {
  const hasRest = segments.at(-1) === '*'
  const named = hasRest ? segments.slice(0, -1) : segments
  if (hasRest ? path.length <= named.length : path.length !== named.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, segment] of named.entries()) {
    const text = path[index] ?? ''
    if (segment.startsWith(':') ? text === '' : segment !== text) return undefined
    if (segment.startsWith(':')) params[segment.slice(1)] = percentDecoded(text)
  }
  return hasRest ? { ...params, '*': path.slice(named.length).join('/') } : params
}
