// The drift of a project: how its structure differs from what is expected of it, and the statements that close the difference.
import type { Clock } from '../../../core/clock.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { EpochMillis } from '../../../core/time.ts'
import { diffStatements } from '../../../database/differ/diff-statements.ts'
import { type RenderOptions, renderStep } from '../../../database/differ/render-step.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'
import {
  type Difference,
  differencesOf,
} from '../../../insight/workbench/tables/diff-structures.ts'
import type { Lifecycle } from '../../../platform/projects/lifecycle.ts'
import type { StepFailure } from '../apply/step-failure.ts'
import {
  type ExpectedStructure,
  type ExpectedVersion,
  registeredSchema,
} from './expected-structures.ts'
import { mayPass, type StepStructures } from './step-structures.ts'
import type { StructureSql } from './structure-sql.ts'

export interface Drift {
  /** `steps`, `fixture`, or the slug of a project with the same steps; `undefined` when nothing could be compared. */
  readonly comparedWith: string | undefined
  /** Why the steps were not compared. */
  readonly note: string | undefined
  readonly differences: readonly Difference[]
}

/** A project whose structure was compared, and did not change since. */
export interface ComparedProject extends Drift {
  readonly schemaName: SchemaName
  /** Wall-clock time of the comparison. */
  readonly at: EpochMillis
}

export interface DriftReader {
  /** Returns the projects that were compared since their structure changed. */
  compared(): readonly ComparedProject[]
  /** Returns the drift when nothing changed since it was read. */
  known(schemaName: SchemaName, expectedStructure: ExpectedStructure): Drift | undefined
  /** Reads the project's structure once until it changes. @throws {SqlError} */
  of(schemaName: SchemaName, expectedStructure: ExpectedStructure): Promise<Drift>
  /**
   * Returns SQL that ends the drift. Statements that destroy data are comments unless `allowDestructive` is set. `undefined`
   * when nothing is expected.
   * @throws {SqlError}
   */
  closing(
    schemaName: SchemaName,
    expectedStructure: ExpectedStructure,
    options?: ClosingOptions,
  ): Promise<string | undefined>
  /** As `closing`, in the other direction: returns SQL that gives another project the drift. @throws {SqlError} */
  spreading(
    schemaName: SchemaName,
    expectedStructure: ExpectedStructure,
    options?: ClosingOptions,
  ): Promise<string | undefined>
}

export type ClosingOptions = Pick<RenderOptions, 'allowDestructive'>

export interface DriftDeps {
  /** Reads the structure of a project. Parts that a comparison does not need may be empty with `forComparison`. */
  readonly loadStructure: (
    schemaName: SchemaName,
    options?: { readonly forComparison: boolean },
  ) => Promise<SchemaStructure>
  readonly lifecycle: Pick<Lifecycle, 'listen'>
  readonly stepStructures: StepStructures
  readonly wallClock: Clock
}

/** The structure that is expected, and where it comes from. */
interface Found extends Omit<Drift, 'differences'> {
  readonly structure: SchemaStructure | undefined
  /** The version that the structure depends on besides. */
  readonly version: SchemaName | undefined
  /** Whether a second attempt may find a better one. */
  readonly isProvisional: boolean
}

interface Compared {
  readonly schemaName: SchemaName
  readonly at: EpochMillis
  readonly key: string
  readonly drift: Drift
  /** The other projects that were compared. */
  readonly others: readonly (SchemaName | undefined)[]
  readonly isProvisional: boolean
}

export function createDriftReader(deps: DriftDeps): DriftReader {
  const { lifecycle, loadStructure, wallClock } = deps
  const compared = new Map<string, Compared>()
  const find = createFinder(deps)
  let changes = 0
  const forget = ({ schemaName }: { readonly schemaName: SchemaName }): void => {
    changes += 1
    compared.delete(schemaName)
    for (const [project, { others }] of compared)
      if (others.includes(schemaName)) compared.delete(project)
  }
  lifecycle.listen({
    schemaChanged: forget,
    offline: forget,
    stateReplaced: () => {
      changes += 1
      compared.clear()
    },
  })
  const fresh = (schemaName: SchemaName, { key }: ExpectedStructure): Compared | undefined => {
    const found = compared.get(schemaName)
    return found?.key === key ? found : undefined
  }
  return {
    compared: () =>
      [...compared.values()].map(({ at, drift, schemaName }) => ({ ...drift, at, schemaName })),
    known: (schemaName, expectedStructure) =>
      ofVersion(expectedStructure) ?? fresh(schemaName, expectedStructure)?.drift,
    of: async (schemaName, expectedStructure) => {
      const itself = ofVersion(expectedStructure)
      if (itself !== undefined) return itself
      const known = fresh(schemaName, expectedStructure)
      if (known !== undefined && !known.isProvisional) return known.drift
      const begun = changes
      const { comparedWith, isProvisional, note, structure, version } =
        await find(expectedStructure)
      const differences =
        structure === undefined
          ? []
          : differencesOf(await loadStructure(schemaName, { forComparison: true }), structure)
      const drift = { comparedWith, note, differences }
      const others = [structure?.schemaName, version]
      // A structure that changed meanwhile is read again by the next call.
      if (begun === changes)
        compared.set(schemaName, {
          schemaName,
          at: wallClock.now(),
          key: expectedStructure.key,
          drift,
          others,
          isProvisional,
        })
      return drift
    },
    closing: async (schemaName, expectedStructure, options) => {
      const { structure } = await find(expectedStructure)
      return structure && stepBetween(await loadStructure(schemaName), structure, options)
    },
    spreading: async (schemaName, expectedStructure, options) => {
      const { structure } = await find(expectedStructure)
      return structure && stepBetween(structure, await loadStructure(schemaName), options)
    },
  }
}

function stepBetween(
  from: SchemaStructure,
  to: SchemaStructure,
  options: ClosingOptions | undefined,
): string {
  return renderStep(diffStatements(from, to, options), options)
}

function createFinder({
  lifecycle,
  loadStructure,
  stepStructures,
}: DriftDeps): (expectedStructure: ExpectedStructure) => Promise<Found> {
  // Tenants of one version are compared one after the other, so the last project is the next one, too.
  let last: SchemaStructure | undefined
  let changes = 0
  const forget = () => {
    changes += 1
    last = undefined
  }
  lifecycle.listen({ schemaChanged: forget, offline: forget, stateReplaced: forget })
  const load = async (schemaName: SchemaName): Promise<SchemaStructure> => {
    const begun = changes
    const structure = last?.schemaName === schemaName ? last : await loadStructure(schemaName)
    if (begun === changes) last = structure
    return structure
  }
  const instead = async (
    reference: ExpectedStructure['reference'],
    reason: string | undefined,
  ): Promise<Pick<Found, 'comparedWith' | 'note' | 'structure'>> => {
    if (reference === undefined) {
      const note =
        reason &&
        `The structure was not compared: ${reason}, and no other project of the template has the same steps.`
      return { comparedWith: undefined, note, structure: undefined }
    }
    const structure = await load(registeredSchema(reference))
    const note = reason && `The structure was compared with ${reference.slug}: ${reason}.`
    return { comparedWith: reference.slug, note, structure }
  }
  return async ({ reason: missing, reference, structureSql: own, version: cloned }) => {
    const frozen = cloned && (await frozenBesideSteps(stepStructures, load, cloned))
    const version = cloned && registeredSchema(cloned.project)
    if (frozen !== undefined && reference?.slug === frozen.slug)
      return { ...SAME, comparedWith: frozen.slug, structure: frozen.structure, version }
    const structureSql = own && withFrozen(own, frozen)
    const built = structureSql && (await stepStructures.of(structureSql))
    if (built?.kind === 'built') {
      const comparedWith = frozen?.slug ?? (structureSql?.steps.length === 0 ? 'fixture' : 'steps')
      return { ...SAME, comparedWith, structure: built.structure, version }
    }
    const reason = built === undefined ? missing : reasonOf(built.failure)
    const isProvisional = built !== undefined && mayPass(built.failure)
    return { ...(await instead(reference, reason)), isProvisional, version }
  }
}

/** A version is what it was frozen from, so that it differs from nothing. */
function ofVersion({ version }: ExpectedStructure): Drift | undefined {
  return version?.isItself
    ? { comparedWith: version.project.slug, note: undefined, differences: [] }
    : undefined
}

const SAME = { note: undefined, isProvisional: false } as const

function reasonOf({ line, message, step = 'the SQL of the fixture' }: StepFailure): string {
  return `${step}${line === undefined ? '' : `:${line}`} fails in an empty project with "${message}"`
}

// Changes that were made in a template by hand before a version was frozen from it. The version and its tenants have them beside
// what their steps say.

interface FrozenVersion {
  readonly slug: string
  /** Version of its newest step; empty without steps. */
  readonly after: string
  /** The structure of the version. */
  readonly structure: SchemaStructure
  /** Turns what its steps build into its structure. */
  readonly sql: string
}

/** Returns `undefined` when the version has what its steps build, or when that is not known. @throws {SqlError} */
async function frozenBesideSteps(
  stepStructures: StepStructures,
  load: (schemaName: SchemaName) => Promise<SchemaStructure>,
  { after, project, structureSql }: ExpectedVersion,
): Promise<FrozenVersion | undefined> {
  const built = structureSql && (await stepStructures.of(structureSql))
  if (built?.kind !== 'built') return undefined
  const structure = await load(registeredSchema(project))
  if (differencesOf(structure, built.structure).length === 0) return undefined
  const options = { allowDestructive: true }
  const sql = renderStep(diffStatements(built.structure, structure, options), options)
  return { slug: project.slug, after, structure, sql }
}

/** Adds what the version was frozen with to the SQL of a project that ran further steps. */
function withFrozen(own: StructureSql, frozen: FrozenVersion | undefined): StructureSql {
  if (frozen === undefined) return own
  const { after, slug, sql } = frozen
  return { ...own, base: [...own.base, { version: slug, after, sql }] }
}
