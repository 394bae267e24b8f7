// Names the endpoint of a request by the route tables of the services. Pure.
import type { FaultDoor } from '../../../core/fault.ts'
import { findOperation } from '../../../insight/faults/operations/find-operation.ts'
import { doorOf } from '../../../server/fault-gate.ts'
import { routeOf } from '../../../server/hosts.ts'
import type { Plane } from '../har/har.ts'

export interface Endpoint {
  readonly method: string
  /** Such as `/groups/v1/:group_id/tenants`, or `/appointments` for a table. */
  readonly route: string
}

const PREFIXES: Readonly<Record<Plane, string>> = {
  auth: '',
  data: '',
  storage: '/storage/v1',
  realtime: '/realtime/v1',
}

/**
 * Returns the path that the request has at an emulator with one address for all planes.
 * @param path path below the base of the plane
 */
export function localPath(plane: Plane, path: string): string {
  return PREFIXES[plane] + path
}

/** @param path path below the base of the plane */
export function endpointOf(
  plane: Plane,
  method: string,
  path: string,
  isSocket: boolean,
): Endpoint {
  const local = localPath(plane, path.split('?')[0] ?? '')
  if (isSocket) return { method, route: local }
  const door = doorAt(plane, local)
  const servicePath = plane === 'data' ? local.replace(/^\/rest\/v1(?=\/|$)/, '') || '/' : local
  const found = door && findOperation({ door, method: methodFor(method), path: servicePath })
  const route = found?.operation.route
  if (found === undefined || route === undefined) return { method, route: local }
  // Uses the table's name, because `/:table` would join all tables into one endpoint.
  const named = plane === 'data' ? filled(route.path, found.params) : route.path
  return { method, route: PREFIXES[plane] + named }
}

function doorAt(plane: Plane, local: string): FaultDoor | undefined {
  if (plane !== 'auth') return plane
  const route = routeOf('127.0.0.1', local)
  return route.kind === 'mount' ? doorOf(route.mount) : undefined
}

// Storage and data answer HEAD on every route that answers GET.
function methodFor(method: string): string {
  return method === 'HEAD' ? 'GET' : method
}

function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name) => params[name] ?? `:${name}`)
}
