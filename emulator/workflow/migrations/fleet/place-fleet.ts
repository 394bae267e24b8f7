// Reads for each project of a group which steps it has, and which structure it should have.

import type { SchemaName } from '../../../core/names.ts'
import type { Engine } from '../../../database/engine.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import type { Group } from '../../../services/control/groups/groups.ts'
import { type Fleet, FleetFailure, type FleetProject } from '../apply/fleet.ts'
import { type ExpectedStructure, registeredSchema } from '../drift/expected-structures.ts'
import { type ExpectedDeps, expectedStructuresOf } from '../drift/project-drift.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { readLedgers } from '../ledger/read-ledgers.ts'
import {
  type ComparedStep,
  compareSteps,
  conflictOf,
  pendingSteps,
} from '../steps/compare-steps.ts'
import type { GivenSteps, StepStore } from './step-store.ts'

/** A project with its steps. */
export interface PlacedProject {
  readonly project: FleetProject & { readonly schemaName: SchemaName }
  /** `undefined` when the ledger cannot be read. */
  readonly ledger: Ledger | undefined
  /** The structure that the project should have; `undefined` for removed tenants, and when the ledger cannot be read. */
  readonly expectedStructure: ExpectedStructure | undefined
  readonly steps: ReadonlyMap<string, Pick<ComparedStep, 'name' | 'state'>>
  readonly isBehind: boolean
  /** Why pending steps cannot run, or why the ledger cannot be read. */
  readonly problem: string | undefined
}

export interface PlacedFleet {
  readonly given: GivenSteps | undefined
  /** `undefined` when the template was removed. */
  readonly template: PlacedProject | undefined
  /** The oldest first. */
  readonly versions: readonly PlacedProject[]
  /** The oldest first. */
  readonly tenants: readonly PlacedProject[]
}

export interface FleetReader extends ExpectedDeps {
  readonly engine: Engine
  readonly steps: Pick<StepStore, 'of'>
}

/** @throws {SqlError} when the database does not answer */
export async function placeFleet(
  deps: FleetReader,
  group: Group,
  fleet: Fleet,
): Promise<PlacedFleet> {
  const source = await templateOf(fleet)
  const published = source === undefined ? [] : await fleet.versions()
  const tenants = await fleet.tenants()
  const present = [...(source === undefined ? [] : [source]), ...published, ...tenants]
  const ledgers = await readLedgers(deps.engine, present.map(registeredSchema))
  const given = deps.steps.of(group.id)
  const compare = await comparing(given)
  const read = async (found: FleetProject): Promise<ReadProject> => {
    const project = { ...found, schemaName: registeredSchema(found) }
    const known = await ledgers.of(project.schemaName, (sql) => fleet.exec(project, sql))
    if ('kind' in known)
      return { project, ...NOTHING_KNOWN, problem: `${known.message} (${known.code})` }
    return { project, ledger: known.ledger, ...compare(known.ledger, known.key) }
  }
  const template = source && (await read(source))
  const versions = await Promise.all(published.map(read))
  const expected = await expectedStructuresOf(
    deps,
    group,
    { template, versions },
    given?.steps ?? [],
  )
  const place = (one: ReadProject): PlacedProject => {
    const isCompared = one.ledger !== undefined && one.project.state !== 'deleted'
    return { ...one, expectedStructure: isCompared ? expected(one.project, one.ledger) : undefined }
  }
  return {
    given,
    template: template && place(template),
    versions: versions.map(place),
    tenants: (await Promise.all(tenants.map(read))).map(place),
  }
}

type ReadProject = Omit<PlacedProject, 'expectedStructure'>

const NOTHING_KNOWN = { ledger: undefined, steps: new Map(), isBehind: false } as const

async function templateOf(fleet: Fleet): Promise<FleetProject | undefined> {
  try {
    return await fleet.template()
  } catch (error) {
    if (error instanceof FleetFailure) return undefined
    throw error
  }
}

type Comparison = Pick<PlacedProject, 'isBehind' | 'problem' | 'steps'>

/** Returns a function that compares the steps with a ledger. Equal ledgers are compared only once. */
async function comparing(
  given: GivenSteps | undefined,
): Promise<(ledger: Ledger, key: string) => Comparison> {
  const parser = await loadSqlParser()
  const known = new Map<string, Comparison>()
  return (ledger, key) => {
    const compared =
      known.get(key) ??
      (given === undefined
        ? ranIn(ledger)
        : comparisonOf(compareSteps(given.steps, ledger.applied, parser)))
    known.set(key, compared)
    return compared
  }
}

function comparisonOf(compared: readonly ComparedStep[]): Comparison {
  return {
    steps: new Map(compared.map((step) => [step.version, step])),
    isBehind: pendingSteps(compared).length > 0,
    problem: conflictOf(compared),
  }
}

function ranIn({ applied }: Ledger): Comparison {
  const steps = new Map(
    applied.map(({ name, statements_done: done, version }) => [
      version,
      { name, state: done === null ? ('applied' as const) : ('interrupted' as const) },
    ]),
  )
  return { steps, isBehind: false, problem: undefined }
}
