// The drift of one project: reads its ledger, finds the expected structure and compares.
import type { Difference } from '../../workbench/tables/diff-structures.ts'
import type { Fleet, FleetProject } from '../apply/fleet.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import { type DriftReader, registeredSchema } from './drift.ts'
import type { ExpectedStructures } from './expected-structures.ts'

export interface Drift {
  /** `steps`, or the slug of a published version; `undefined` when nothing could be compared. */
  readonly comparedWith: string | undefined
  /** Why the steps were not compared. */
  readonly note: string | undefined
  readonly differences: readonly Difference[]
  /** Statements that end the drift. `undefined` without differences, or when they were not asked for. */
  readonly closingSql: string | undefined
}

export interface ProjectDriftDeps {
  readonly drift: DriftReader
  readonly expected: ExpectedStructures
  readonly fleet: Fleet
}

/** @throws {SqlError} {FleetFailure} */
export async function driftOf(
  { drift, expected, fleet }: ProjectDriftDeps,
  project: FleetProject,
  { withClosing = true }: { readonly withClosing?: boolean } = {},
): Promise<Drift> {
  const read = await readLedger((sql) => fleet.exec(project, sql))
  if (read.kind === 'failed') return unknown(`The ledger cannot be read: ${read.message}`)
  const { comparedWith, note, structure } = await expected.of(read.ledger)
  if (structure === undefined) return unknown(note)
  const schemaName = registeredSchema(project)
  const differences = await drift.differences(schemaName, structure)
  const isClosed = differences.length === 0 || !withClosing
  const closingSql = isClosed ? undefined : await drift.closing(schemaName, structure)
  return { comparedWith, note, differences, closingSql }
}

function unknown(note: string | undefined): Drift {
  return { comparedWith: undefined, note, differences: [], closingSql: undefined }
}
