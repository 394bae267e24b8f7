// The catalogue lists every operation that a fault can target, every documented error, and the errors of each operation
// (contract/faults.ts). Pure.
import type { FaultCatalogue } from '../../contract/faults.ts'
import { ERROR_SOURCES } from './errors/error-sources.ts'
import type { FaultOperation } from './operations/fault-operation.ts'
import { OPERATIONS } from './operations/find-operation.ts'

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
      if (!shown.has(key)) shown.set(key, { service, code, ...facts })
    }
  return [...shown.values()]
}
