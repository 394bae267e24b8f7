// Searches the catalogue. A result contains every word of the search in its operation, route, codes or sentences. Pure.
import type { FaultCatalogue } from '../../../emulator/contract/faults.ts'
import type { CatalogueError, CatalogueOperation } from './arm-draft.ts'

export interface CatalogueRow extends CatalogueOperation {
  readonly errors: readonly CatalogueError[]
  /** The code that matched the search. The form preselects this code. */
  readonly found: string | undefined
}

export function catalogueRows(
  { operations, errors }: FaultCatalogue,
  words: string,
  service: string | undefined,
): readonly CatalogueRow[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return operations.flatMap((operation) => {
    if (service !== undefined && operation.service !== service) return []
    const own = errors.filter(
      (error) => error.service === operation.service && operation.codes.includes(error.code),
    )
    const text = [
      operation.service,
      operation.operation,
      operation.title,
      operation.route ?? '',
      ...own.map(({ code, status, sentence }) => `${code} ${status} ${sentence}`),
    ]
      .join(' ')
      .toLowerCase()
    if (!wanted.every((word) => text.includes(word))) return []
    const found = own.find(({ code }) => wanted.some((word) => code.toLowerCase().includes(word)))
    return [{ ...operation, errors: own, found: found?.code }]
  })
}

/** The number of characters that fit in the narrowest column. The padding of a chip counts as two characters. */
const ROOM = 34
const EDGES = 2

/** Splits the codes into those that fit in the column and the rest. The matched code comes first. */
export function splitCodes<Coded extends { readonly code: string }>(
  errors: readonly Coded[],
  found: string | undefined,
): { readonly shown: readonly Coded[]; readonly rest: readonly Coded[] } {
  const ordered = errors.toSorted(
    (one, other) => Number(other.code === found) - Number(one.code === found),
  )
  let taken = 0
  const end = ordered.findIndex(({ code }) => {
    taken += code.length + EDGES
    return taken > ROOM
  })
  const count = end === -1 ? ordered.length : Math.max(1, end)
  return { shown: ordered.slice(0, count), rest: ordered.slice(count) }
}
