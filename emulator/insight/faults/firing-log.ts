// Keeps the newest firings of faults in memory. The fault book adds to it.
import type { FaultHistory } from '../../contract/faults.ts'
import { type EpochMillis, toIso } from '../../core/time.ts'
import type { Armed } from './armed-fault.ts'

export interface LoggedFiring {
  /** Platform time. */
  readonly at: EpochMillis
  readonly fault: Armed
  readonly operation: string
  readonly schemaName: string | undefined
  readonly requestId: string | undefined
}

export interface FiringLog {
  add(firing: LoggedFiring): void
  /** Newest first. */
  list(limit: number): FaultHistory
  clear(): void
}

const CAPACITY = 500

export function createFiringLog(): FiringLog {
  let firings: readonly (LoggedFiring & { readonly number: number })[] = []
  let added = 0
  return {
    add: (firing) => {
      added += 1
      firings = [{ ...firing, number: added }, ...firings.slice(0, CAPACITY - 1)]
    },
    list: (limit) => {
      const newest = firings.slice(0, limit)
      return {
        firings: newest.map(({ at, fault, number, operation, requestId, schemaName }) => ({
          number,
          at: toIso(at),
          fault_id: fault.id,
          operation,
          schema_name: schemaName ?? null,
          request_id: requestId ?? null,
        })),
        faults: [...new Set(newest.map(({ fault }) => fault))].map((fault) => fault.shown()),
      }
    },
    clear: () => {
      firings = []
    },
  }
}
