// Finds the structure that a project should have: what its steps say, or that of a published version with the same steps.

import type { Engine } from '../../database/engine.ts'
import type { SqlParser } from '../../database/sql-parser.ts'
import { loadStructureInParts, type SchemaStructure } from '../../database/template/structure.ts'
import type { Fleet, FleetProject } from '../apply/fleet.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { Step } from '../steps/step.ts'
import { registeredSchema } from './drift.ts'
import { stepsOfLedger } from './ledger-steps.ts'
import type { StepStructures } from './step-structures.ts'

/** `comparedWith` of a structure that the steps built. */
export const STEPS = 'steps'

export interface Expected {
  /** `steps`, or the slug of a published version; `undefined` when nothing can be compared. */
  readonly comparedWith: string | undefined
  readonly structure: SchemaStructure | undefined
  /** Why the steps were not compared; `undefined` also for a project without steps. */
  readonly note: string | undefined
}

export interface ExpectedStructures {
  /** Returns equal objects for equal ledgers. @throws {SqlError} {FleetFailure} */
  of(ledger: Ledger): Promise<Expected>
}

export interface ExpectedDeps {
  readonly engine: Engine
  readonly stepStructures: StepStructures
  readonly parser: SqlParser
}

/** For the time of a request: each different ledger is looked up once. */
export function createExpectedStructures(
  deps: ExpectedDeps,
  fleet: Fleet,
  steps: readonly Step[],
): ExpectedStructures {
  const known = new Map<string, Promise<Expected>>()
  const versionWith = createVersionFinder(fleet)
  const find = async (ledger: Ledger): Promise<Expected> => {
    const built = await fromSteps(deps, ledger, steps)
    if ('structure' in built)
      return { comparedWith: STEPS, structure: built.structure, note: undefined }
    const version = await versionWith(keyOf(ledger))
    if (version === undefined) {
      const note =
        built.reason &&
        `The structure was not compared: ${built.reason}, and no published version has the same steps.`
      return { comparedWith: undefined, structure: undefined, note }
    }
    const structure = await loadStructureInParts(deps.engine, registeredSchema(version))
    const note = built.reason && `The structure was compared with ${version.slug}: ${built.reason}.`
    return { comparedWith: version.slug, structure, note }
  }
  return {
    of: (ledger) => {
      const key = keyOf(ledger)
      const expected = known.get(key) ?? find(ledger)
      known.set(key, expected)
      return expected
    },
  }
}

async function fromSteps(
  { parser, stepStructures }: ExpectedDeps,
  { applied }: Ledger,
  steps: readonly Step[],
): Promise<{ readonly structure: SchemaStructure } | { readonly reason: string | undefined }> {
  if (applied.length === 0) return { reason: undefined }
  const found = stepsOfLedger(steps, applied, parser)
  if (found.kind === 'missing')
    return { reason: `the text of ${found.file} is missing or changed after it ran` }
  const built = await stepStructures.of(found.steps)
  if (built.kind === 'built') return built
  const { line, message, step } = built.failure
  const place = line === undefined ? '' : `:${line}`
  return { reason: `${step ?? 'a step'}${place} fails in an empty project with "${message}"` }
}

/** Returns a function that finds the newest published version with a ledger. */
function createVersionFinder(fleet: Fleet): (key: string) => Promise<FleetProject | undefined> {
  let versions: Promise<ReadonlyMap<string, FleetProject>> | undefined
  const read = async (): Promise<ReadonlyMap<string, FleetProject>> => {
    const byKey = new Map<string, FleetProject>()
    for (const version of await fleet.versions()) {
      const found = await readLedger((sql) => fleet.exec(version, sql))
      if (found.kind === 'read') byKey.set(keyOf(found.ledger), version)
    }
    return byKey
  }
  return async (key) => {
    versions ??= read()
    return (await versions).get(key)
  }
}

function keyOf({ applied }: Ledger): string {
  return applied
    .map(
      ({ checksum, statements_done: done, version }) => `${version} ${checksum} ${done ?? 'all'}`,
    )
    .sort()
    .join()
}
