// The catalogue searched: every word must occur in an operation, its route, its codes or what they say. Pure.
import type { FaultCatalogue } from '../../../emulator/contract/faults.ts'
import type { CatalogueError, CatalogueOperation } from './arm-draft.ts'

export interface CatalogueRow extends CatalogueOperation {
  readonly errors: readonly CatalogueError[]
  /** A code the search was about, so that it is the one offered. */
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
