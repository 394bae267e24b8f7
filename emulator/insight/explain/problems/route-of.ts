// Names the route of a recorded request, so that requests for different rows, files or users share one name. Pure.
import type { FaultDoor } from '../../../core/fault.ts'
import { findOperation } from '../../faults/operations/find-operation.ts'
import type { SentTo } from '../../journal/cause-rows.ts'

const DOORS: Readonly<Record<string, readonly FaultDoor[]>> = {
  control: ['control'],
  auth: ['auth'],
  data: ['data'],
  storage: ['storage', 'storageToken'],
  realtime: ['realtime', 'realtimeToken', 'socket'],
}

/** Parameters that name what the route acts on. Others name a row, a file or a user. */
const SHOWN = new Set(['table', 'function', 'bucket'])

/** Returns for example `POST /notes` or `GET /object/avatars/*`. Returns `undefined` when no route has this path and method. */
export function routeOf({ method, path, service }: SentTo): string | undefined {
  const asked = service === 'data' ? path.replace(/^\/rest\/v1(?=\/)/, '') : path
  for (const door of DOORS[service] ?? []) {
    const found = findOperation({ door, method, path: asked })
    const pattern = found?.operation.route?.path
    if (found === undefined || pattern === undefined) continue
    const filled = pattern.replace(/:(\w+)/g, (segment, name: string) =>
      SHOWN.has(name) ? (found.params[name] ?? segment) : segment,
    )
    return `${method} ${filled}`
  }
  return undefined
}
