// Routes of /_emulator/v1 that manage faults (contract/faults.ts).
import type { Hono } from 'hono'
import { type ArmedFault, FAULT_OPERATIONS, type FaultCatalogue } from '../../contract/faults.ts'
import { type Bindings, mount } from '../api-kit/mount.ts'
import { ERROR_SOURCES } from './errors/error-sources.ts'
import type { FaultBook } from './fault-book.ts'
import type { FaultOperation } from './operations/fault-operation.ts'
import { OPERATIONS } from './operations/find-operation.ts'
import type { PastRequest } from './preview-fault.ts'

/** Number of requests that a preview compares with the fault. */
const PREVIEWED_REQUESTS = 20

export interface FaultRouteDeps {
  readonly faults: FaultBook
  /** Returns the newest requests that faults can apply to, newest first. */
  readonly pastRequests: (limit: number) => readonly PastRequest[]
}

export function mountFaults(app: Hono<Bindings>, { faults, pastRequests }: FaultRouteDeps): void {
  let catalogue: FaultCatalogue | undefined
  mount(app, FAULT_OPERATIONS, {
    'GET /faults': () => ({ faults: faults.list() }),
    'POST /faults': ({ body }) => faults.armFaults([body])[0] as ArmedFault,
    'DELETE /faults': () => ({ disarmed: faults.disarmAll() }),
    'GET /faults/catalogue': () => {
      catalogue ??= faultCatalogue()
      return catalogue
    },
    'GET /faults/history': ({ query }) => faults.history(query.limit),
    'POST /faults/preview': ({ body }) => faults.preview(body, pastRequests(PREVIEWED_REQUESTS)),
    'DELETE /faults/:id': ({ params }) => faults.disarm(params.id),
  })
}

// Builds the catalogue: every operation that a fault can target, every documented error, and the errors of each operation
// (contract/faults.ts). Pure.
type Operation = FaultCatalogue['operations'][number]
type CatalogueError = FaultCatalogue['errors'][number]

/** Returns operations in the table's order, and errors grouped by service. */
export function faultCatalogue(): FaultCatalogue {
  return { operations: operationsShown(), errors: errorsShown() }
}

// Merges the routes of an operation into one entry. The entry has the first route's title and path, and all methods of the
// path.
function operationsShown(): readonly Operation[] {
  return [...Map.groupBy(OPERATIONS, ({ operation }) => operation).values()].map((rows) => {
    const [first] = rows as [FaultOperation, ...FaultOperation[]]
    return {
      service: first.service,
      operation: first.operation,
      title: first.title,
      route: routeText(rows),
      codes: [...new Set(rows.flatMap(({ codes }) => codes))],
      effects: [...new Set(rows.flatMap(({ effects }) => effects))],
    }
  })
}

const MOUNTS: Readonly<Record<string, string>> = {
  storage: '/storage/v1',
  realtime: '/realtime/v1',
  socket: '/realtime/v1/websocket',
}

function routeText(rows: readonly FaultOperation[]): string | null {
  const [first, ...others] = rows.flatMap(({ route }) => route ?? [])
  if (first === undefined) return null
  const samePath = [first, ...others.filter(({ path }) => path === first.path)]
  const path = first.path === '*' ? '' : first.path
  return `${samePath.flatMap(({ methods }) => methods).join(', ')} ${MOUNTS[first.door] ?? ''}${path}`
}

function errorsShown(): readonly CatalogueError[] {
  const shown = new Map<string, CatalogueError>()
  for (const { service, dialect, codes } of OPERATIONS)
    for (const code of codes) {
      const facts = ERROR_SOURCES[dialect].codes[code]
      if (facts === undefined) throw new TypeError(`${dialect} has no code ${code}`)
      const key = `${service} ${code}`
      const { status, cause: sentence } = facts
      if (!shown.has(key)) shown.set(key, { service, code, status, sentence })
    }
  return [...shown.values()]
}
