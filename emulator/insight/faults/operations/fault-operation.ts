// Derives the operations that a fault can target from the route tables of the services.
import type { FaultEffect, FaultService } from '../../../contract/faults.ts'
import type { FaultDoor } from '../../../core/fault.ts'
import { type Operation, parseRouteKey } from '../../../core/routes.ts'
import { effectsOn } from '../effects.ts'

/** The format in which an operation renders its refusals. */
export type Dialect =
  | 'control'
  | 'auth'
  | 'data'
  | 'storage'
  | 'tus'
  | 's3'
  | 'exchange'
  | 'realtime'
  | 'handshake'
  | 'join'

export interface FaultOperation {
  readonly service: FaultService
  readonly operation: string
  readonly title: string
  readonly dialect: Dialect
  /** Operations on an open socket have no route. */
  readonly route?: FaultRoute
  /** The error codes that the operation documents. */
  readonly codes: readonly string[]
  readonly effects: readonly FaultEffect['kind'][]
}

export interface FaultRoute {
  readonly door: FaultDoor
  readonly methods: readonly string[]
  /** `:name` matches one segment. `*` at the end matches the rest of the path, which must not be empty. */
  readonly path: string
}

/** Facts that all operations of one service share. */
export interface ServiceRow {
  readonly service: FaultService
  /** The default is the service's name. */
  readonly door?: FaultDoor
  /** The default is the service's name. */
  readonly dialect?: Dialect
  /** Codes that every operation of the service documents. */
  readonly always: readonly string[]
}

/** Creates one operation for each route of a service's table. */
export function operationsOf(
  table: Readonly<Record<string, Operation>>,
  { service, door = service, dialect = service, always }: ServiceRow,
): readonly FaultOperation[] {
  return Object.entries(table).map(([key, { operation, title, codes, storesBytes }]) => ({
    service,
    operation,
    title,
    dialect,
    route: { door, ...parseRouteKey(key) },
    codes: [...new Set([...codes, ...always])],
    effects: effectsOn(storesBytes ? 'write' : 'request'),
  }))
}
