// The catalogue: every operation that a fault can be aimed at, every error that the platform documents, and which of them
// belong together (contract/faults.ts). Pure; made once.
import type { FaultCatalogue } from '../contract/faults.ts'
import { ERROR_SOURCES } from './errors/error-sources.ts'
import type { FaultOperation } from './operations/fault-operation.ts'
import { OPERATIONS } from './operations/find-operation.ts'

type Operation = FaultCatalogue['operations'][number]
type CatalogueError = FaultCatalogue['errors'][number]

/** Operations in the table's order, errors by service. */
export function faultCatalogue(): FaultCatalogue {
  return { operations: operationsShown(), errors: errorsShown() }
}

// Several routes of one operation are one entry with the first one's title.
function operationsShown(): readonly Operation[] {
  const shown = new Map<string, Operation>()
  for (const row of OPERATIONS) {
    const { service, operation, title, effects } = row
    const known = shown.get(operation)
    shown.set(operation, {
      service,
      operation,
      title: known?.title ?? title,
      route: known?.route ?? routeText(row),
      codes: [...new Set([...(known?.codes ?? []), ...row.codes])],
      effects: [...new Set([...(known?.effects ?? []), ...effects])],
    })
  }
  return [...shown.values()]
}

const MOUNTS: Readonly<Record<string, string>> = {
  storage: '/storage/v1',
  realtime: '/realtime/v1',
  socket: '/realtime/v1/websocket',
}

function routeText({ route }: FaultOperation): string | null {
  if (route === undefined) return null
  const path = route.path === '*' ? '' : route.path
  return `${route.methods.join(', ')} ${MOUNTS[route.door] ?? ''}${path}`
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
