// Types of the tables of error codes. Each service describes its codes once, in a file `refusals.ts`. Errors, injected faults,
// explanations of refused requests, the OpenAPI documents and docs/wire/errors.md derive from these tables.
import type { DiskFailureCode } from './disk-failure.ts'

/** The checks of a request. An explanation shows them as a chain (contract/explain.ts). */
export const CHAIN_LINKS = [
  'credential',
  'group',
  'resource',
  'project',
  'role',
  'claims',
  'grant',
  'policy',
  'row',
  'request',
  'bucket',
  'object',
  'quota',
  'subscription',
  'fault',
] as const

/** The facts about an error code that callers and documents need. */
export interface RefusalFacts {
  /** Status of the HTTP response. */
  readonly status: number
  /** What happened and why the service refused the request. One or more sentences. */
  readonly cause: string
  /** What the reader can do about the refusal. One or more sentences. */
  readonly remedy: string
}

/** @typeParam Example type of the example answer in injected faults and the OpenAPI document */
export interface RefusalRow<Example = string> extends RefusalFacts {
  /** The failed check, which the explanation shows when it finds no more exact one. Absent for the check `request`. */
  readonly link?: (typeof CHAIN_LINKS)[number]
  /** The example answer. Absent when an injected fault uses `cause` as its message. */
  readonly example?: Example
}

export type RefusalTable<Code extends string, Row = RefusalRow> = Readonly<Record<Code, Row>>

/** Codes of errors that most services return. */
export type CommonCode = 'internal' | 'unavailable' | DiskFailureCode

/** Rows for errors of a failing disk (RFC 4918 §11.5, RFC 9110 §15.6.4). */
export const DISK_REFUSALS: RefusalTable<DiskFailureCode> = {
  disk_full: {
    status: 507,
    link: 'fault',
    cause: 'The disk of the data directory is full. Nothing was stored.',
    remedy: 'Free some space, then repeat the request.',
  },
  disk_failed: {
    status: 503,
    link: 'fault',
    cause: 'The data directory cannot be written. Nothing was stored.',
    remedy: 'Check the disk and the permissions of the directory, then repeat the request.',
  },
}

/** Row for the error while the database is unavailable. */
export const UNAVAILABLE: RefusalRow = {
  status: 503,
  link: 'fault',
  cause: 'The database was busy with other work, or was restarting.',
  remedy: 'Repeat the request after the number of seconds in the header Retry-After.',
}

/** Returns the row for an internal error of the emulator. @param cause one sentence */
export function internalRefusal(cause: string): RefusalRow {
  return {
    status: 500,
    link: 'fault',
    cause,
    remedy: 'Look for the request’s id in the terminal of the emulator: the cause is logged there.',
  }
}

/** Returns the row of a code. Returns `undefined` for other texts, even for names that every object has, such as `toString`. */
export function rowOf<Row>(table: Readonly<Record<string, Row>>, code: string): Row | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined
}
