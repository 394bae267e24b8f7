// Reads which steps every project of a group has, and finds for each tenant the project that its structure is compared with.
import type { Group } from '../../control/groups/groups.ts'
import { type SchemaName, trusted } from '../../core/names.ts'
import type { Engine } from '../../database/engine.ts'
import { loadSqlParser } from '../../database/sql-parser.ts'
import { type Fleet, FleetFailure, type FleetProject } from '../apply/fleet.ts'
import type { Ledger } from '../ledger/ledger.ts'
import {
  type ComparedStep,
  compareSteps,
  conflictOf,
  pendingSteps,
} from '../steps/compare-steps.ts'
import { readLedgers } from './read-ledgers.ts'
import type { GivenSteps, StepStore } from './step-store.ts'

/** A project with its steps. */
export interface PlacedProject {
  readonly project: FleetProject & { readonly schemaName: SchemaName }
  /** Equal for projects with equal ledgers; `undefined` when the ledger cannot be read. */
  readonly ledgerKey: string | undefined
  readonly steps: ReadonlyMap<string, Pick<ComparedStep, 'name' | 'state'>>
  readonly isBehind: boolean
  /** What prevents pending steps, or why the ledger cannot be read. */
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

export interface FleetReader {
  readonly engine: Engine
  readonly steps: Pick<StepStore, 'of'>
}

/** @throws {SqlError} when the database does not answer */
export async function placeFleet(
  { engine, steps: store }: FleetReader,
  group: Group,
  fleet: Fleet,
): Promise<PlacedFleet> {
  const ledgers = await readLedgers(engine)
  const given = store.of(group.id)
  const compare = await comparing(given)
  const place = async (found: FleetProject): Promise<PlacedProject> => {
    // The local fleet takes the name from the registry.
    const project = { ...found, schemaName: trusted.schemaName(found.schemaName) }
    const read = await ledgers.of(project.schemaName, (sql) => fleet.exec(project, sql))
    if ('kind' in read)
      return { project, ...NOTHING_KNOWN, problem: `${read.message} (${read.code})` }
    return { project, ledgerKey: read.key, ...compare(read.ledger, read.key) }
  }
  const template = await templateOf(fleet)
  return {
    given,
    template: template && (await place(template)),
    versions: await Promise.all((template && (await fleet.versions()))?.map(place) ?? []),
    tenants: await Promise.all((await fleet.tenants()).map(place)),
  }
}

const NOTHING_KNOWN = { ledgerKey: undefined, steps: new Map(), isBehind: false } as const

async function templateOf(fleet: Fleet): Promise<FleetProject | undefined> {
  try {
    return await fleet.template()
  } catch (error) {
    if (error instanceof FleetFailure) return undefined
    throw error
  }
}

type Comparison = Pick<PlacedProject, 'isBehind' | 'problem' | 'steps'>

/** Returns a function that compares each different ledger once. */
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

/**
 * Returns the project with the same steps as the tenant: its own version, else the newest other version, else the template.
 * `undefined` when no such project exists, and for removed tenants.
 */
export function referenceOf(
  { ledgerKey, project }: PlacedProject,
  { template, versions }: PlacedFleet,
): PlacedProject['project'] | undefined {
  if (ledgerKey === undefined || project.state === 'deleted') return undefined
  const rank = ({ project: { slug } }: PlacedProject) => (slug === project.templateVersion ? 0 : 1)
  return [...versions.toReversed(), ...(template === undefined ? [] : [template])]
    .toSorted((a, b) => rank(a) - rank(b))
    .find((candidate) => candidate.ledgerKey === ledgerKey)?.project
}
