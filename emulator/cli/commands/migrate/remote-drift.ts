// Finds drift of a group that runs elsewhere: compares each project's structure with the structure that its steps build in an
// emulator in memory. Sends only reading statements to the group.
import type { DriftReport, ProjectDrift } from '../../../contract/drift.ts'
import { SystemClock } from '../../../core/clock.ts'
import type { SchemaName } from '../../../core/names.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'
import { applySteps } from '../../../workflow/migrations/apply/apply-steps.ts'
import {
  type Fleet,
  FleetFailure,
  type FleetProject,
} from '../../../workflow/migrations/apply/fleet.ts'
import { createDriftReader } from '../../../workflow/migrations/drift/drift.ts'
import { createExpectedStructures } from '../../../workflow/migrations/drift/expected-structures.ts'
import {
  type ClosingDrift,
  closingDrift,
  driftToWire,
  unreadable,
} from '../../../workflow/migrations/drift/project-drift.ts'
import type {
  StepStructure,
  StepStructures,
} from '../../../workflow/migrations/drift/step-structures.ts'
import { keyOfStructureSql } from '../../../workflow/migrations/drift/structure-sql.ts'
import type { Ledger } from '../../../workflow/migrations/ledger/ledger.ts'
import { readLedger } from '../../../workflow/migrations/ledger/read-ledger.ts'
import { readStructure } from '../../../workflow/migrations/pull/read-structure.ts'
import type { Step } from '../../../workflow/migrations/steps/step.ts'
import { openThrowAwayEmulator, type ThrowAwayEmulator } from '../../throw-away-emulator.ts'

/** @param fleet whose `exec` only reads @throws {FleetFailure} when the template or the tenants cannot be found */
export async function remoteDrift(
  group: string,
  fleet: Fleet,
  steps: readonly Step[],
): Promise<DriftReport> {
  await using emulator = await openThrowAwayEmulator()
  const template = await readProject(fleet, await fleet.template())
  const versions: ReadProject[] = []
  for (const version of await fleet.versions()) versions.push(await readProject(fleet, version))
  const tenants: ReadProject[] = []
  for (const tenant of await fleet.tenants()) tenants.push(await readProject(fleet, tenant))
  const sources = { template, versions, base: [], steps, parser: await loadSqlParser() }
  const expected = createExpectedStructures(sources)
  const all = new Map(
    [template, ...versions, ...tenants].map((one) => [one.project.schemaName, one.project]),
  )
  const reader = createDriftReader({
    loadStructure: structuresOf(fleet, all),
    lifecycle: { listen: () => undefined },
    stepStructures: stepStructuresIn(emulator),
    wallClock: new SystemClock(),
  })
  const driftOf = async ({ ledger, problem, project }: ReadProject): Promise<ProjectDrift> => {
    const drift =
      ledger === undefined
        ? unreadable(problem ?? '')
        : await orUnreadable(() => closingDrift(reader, project, expected(project, ledger)))
    return driftToWire(project, drift)
  }
  const found: ProjectDrift[] = []
  for (const tenant of tenants) found.push(await driftOf(tenant))
  return { group, template: await driftOf(template), tenants: found }
}

interface ReadProject {
  readonly project: FleetProject
  readonly ledger: Ledger | undefined
  /** Why the ledger could not be read. */
  readonly problem: string | undefined
}

async function readProject(fleet: Fleet, project: FleetProject): Promise<ReadProject> {
  const failed = (why: string): ReadProject => ({
    project,
    ledger: undefined,
    problem: `The structure was not compared: the ledger cannot be read. ${why}`,
  })
  try {
    const read = await readLedger((sql) => fleet.exec(project, sql))
    return read.kind === 'read'
      ? { project, ledger: read.ledger, problem: undefined }
      : failed(`${read.message} (${read.code})`)
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error
    return failed(sentencesOf(error))
  }
}

async function orUnreadable(read: () => Promise<ClosingDrift>): Promise<ClosingDrift> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error
    return unreadable(`The structure was not compared: ${sentencesOf(error)}`)
  }
}

function sentencesOf({ hint, message }: FleetFailure): string {
  return [message, hint].filter(Boolean).join(' ')
}

/** Reads each structure once. */
function structuresOf(
  fleet: Fleet,
  projects: ReadonlyMap<string, FleetProject>,
): (schemaName: SchemaName) => Promise<SchemaStructure> {
  const known = new Map<string, SchemaStructure>()
  return async (schemaName) => {
    const project = projects.get(schemaName)
    if (project === undefined) throw new TypeError(`${schemaName} is not in the fleet`)
    const structure =
      known.get(schemaName) ?? (await readStructure((sql) => fleet.exec(project, sql))).structure
    known.set(schemaName, structure)
    return structure
  }
}

/** Builds the structure of steps in new projects of the emulator. */
function stepStructuresIn(emulator: ThrowAwayEmulator): StepStructures {
  const known = new Map<string, StepStructure>()
  return {
    of: async (structureSql) => {
      const key = keyOfStructureSql(structureSql)
      const slug = `steps_${known.size}`
      const found = known.get(key) ?? (await buildIn(emulator, slug, structureSql.steps))
      known.set(key, found)
      return found
    },
  }
}

async function buildIn(
  { applyFixture, execOf }: ThrowAwayEmulator,
  slug: string,
  steps: readonly Step[],
): Promise<StepStructure> {
  await applyFixture({
    kind: 'fixture',
    name: slug,
    definition: { projects: [{ slug }] },
    folder: undefined,
  })
  const exec = execOf(slug)
  const { failure } = await applySteps(exec, steps, await loadSqlParser())
  if (failure !== undefined) return { kind: 'failed', failure }
  return { kind: 'built', structure: (await readStructure(exec)).structure }
}
