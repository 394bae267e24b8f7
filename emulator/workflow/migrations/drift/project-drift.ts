// Finds the drift of a group's projects, for the time of a request.
import type { ProjectDrift } from '../../../contract/drift.ts'
import type { Engine } from '../../../database/engine.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import type { Group } from '../../../services/control/groups/groups.ts'
import type { ControlStores } from '../../../services/control/stores.ts'
import { findSource } from '../../../services/control/templates/template-access.ts'
import type { Fleet, FleetProject } from '../apply/fleet.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import { readLedgers } from '../ledger/read-ledgers.ts'
import type { Step } from '../steps/step.ts'
import type { BaseStore } from './base-store.ts'
import type { ClosingOptions, Drift, DriftReader } from './drift.ts'
import {
  createExpectedStructures,
  type ExpectedStructure,
  type ExpectedStructures,
  type ReadTemplate,
  registeredSchema,
} from './expected-structures.ts'

export interface ExpectedDeps {
  readonly stores: Pick<ControlStores, 'projects'>
  readonly bases: Pick<BaseStore, 'of'>
}

export interface Templates {
  /** `undefined` when it was removed. */
  readonly template: ReadTemplate | undefined
  /** The oldest first. */
  readonly versions: readonly ReadTemplate[]
}

export async function expectedStructuresOf(
  { bases, stores }: ExpectedDeps,
  group: Group,
  { template, versions }: Templates,
  steps: readonly Step[],
): Promise<ExpectedStructures> {
  const source = findSource(stores, group)
  const base = source === undefined ? [] : bases.of(source.id)
  return createExpectedStructures({
    template,
    versions,
    base,
    steps,
    parser: await loadSqlParser(),
  })
}

export interface DriftFinderDeps extends ExpectedDeps {
  readonly engine: Engine
  readonly drift: DriftReader
}

export interface DriftFinder {
  /** @throws {SqlError} {FleetFailure} */
  of(project: FleetProject): Promise<Drift>
  /** @throws {SqlError} {FleetFailure} */
  withClosing(project: FleetProject): Promise<ClosingDrift>
}

export interface ClosingDrift extends Drift {
  /** SQL that ends the drift. `undefined` without differences. */
  readonly closingSql: string | undefined
}

/** @throws {FleetFailure} when the template cannot be found */
export async function createDriftFinder(
  deps: DriftFinderDeps,
  group: Group,
  fleet: Fleet,
  steps: readonly Step[],
): Promise<DriftFinder> {
  const expectedStructures = await expectedStructuresOf(
    deps,
    group,
    await readTemplates(deps, fleet),
    steps,
  )
  const expected = async (project: FleetProject): Promise<ExpectedStructure | ClosingDrift> => {
    const read = await readLedger((sql) => fleet.exec(project, sql))
    return read.kind === 'read'
      ? expectedStructures(project, read.ledger)
      : unreadable(`The ledger cannot be read: ${read.message}`)
  }
  return {
    of: async (project) => {
      const found = await expected(project)
      return 'key' in found ? await deps.drift.of(registeredSchema(project), found) : found
    },
    withClosing: async (project) => {
      const found = await expected(project)
      return 'key' in found ? await closingDrift(deps.drift, project, found) : found
    },
  }
}

/** @throws {SqlError} */
export async function closingDrift(
  reader: DriftReader,
  project: FleetProject,
  expectedStructure: ExpectedStructure,
  options?: ClosingOptions,
): Promise<ClosingDrift> {
  const schemaName = registeredSchema(project)
  const drift = await reader.of(schemaName, expectedStructure)
  const isClosed = drift.differences.length === 0
  const closingSql = isClosed
    ? undefined
    : await reader.closing(schemaName, expectedStructure, options)
  return { ...drift, closingSql }
}

/** The drift of a project that could not be read. */
export function unreadable(note: string): ClosingDrift {
  return { comparedWith: undefined, note, differences: [], closingSql: undefined }
}

export function driftToWire({ slug }: FleetProject, drift: ClosingDrift): ProjectDrift {
  return {
    slug,
    compared_with: drift.comparedWith ?? null,
    note: drift.note ?? null,
    differences: [...drift.differences],
    closing_sql: drift.closingSql ?? null,
  }
}

/** @throws {FleetFailure} when the template cannot be found */
async function readTemplates(
  { engine }: Pick<DriftFinderDeps, 'engine'>,
  fleet: Fleet,
): Promise<Templates> {
  const template = await fleet.template()
  const versions = await fleet.versions()
  const ledgers = await readLedgers(engine, [template, ...versions].map(registeredSchema))
  const of = async (project: FleetProject): Promise<ReadTemplate> => {
    const read = await ledgers.of(project.schemaName, (sql) => fleet.exec(project, sql))
    return { project, ledger: 'ledger' in read ? read.ledger : undefined }
  }
  return { template: await of(template), versions: await Promise.all(versions.map(of)) }
}
