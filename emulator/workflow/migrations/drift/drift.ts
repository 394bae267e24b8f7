// The drift of a project: how its structure differs from the expected structure, and the statements that remove the difference.
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
  /**
   * What the project was compared with: `steps`, `fixture`, or the slug of a project with the same steps. `undefined` when
   * nothing could be compared.
   */
  readonly comparedWith: string | undefined
  /** Why the steps were not compared. */
  readonly note: string | undefined
  readonly differences: readonly Difference[]
}

/** A project whose structure did not change since it was compared. */
export interface ComparedProject extends Drift {
  readonly schemaName: SchemaName
  /** Wall-clock time of the comparison. */
  readonly at: EpochMillis
}

export interface DriftReader {
  /** Returns the compared projects whose structure did not change since the comparison. */
  compared(): readonly ComparedProject[]
  /** Returns the drift when no structure changed since it was computed. */
  known(schemaName: SchemaName, expectedStructure: ExpectedStructure): Drift | undefined
  /** Returns the drift. Computes it again only after a structure changed. @throws {SqlError} */
  of(schemaName: SchemaName, expectedStructure: ExpectedStructure): Promise<Drift>
  /**
   * Returns SQL that gives the project the expected structure. Statements that destroy data are comments unless
   * `allowDestructive` is set. Returns `undefined` when no structure is expected.
   * @throws {SqlError}
   */
  closing(
    schemaName: SchemaName,
    expectedStructure: ExpectedStructure,
    options?: ClosingOptions,
  ): Promise<string | undefined>
  /**
   * Works in the other direction than `closing`: returns SQL that changes the expected structure to the project's.
   * @throws {SqlError}
   */
  spreading(
    schemaName: SchemaName,
    expectedStructure: ExpectedStructure,
    options?: ClosingOptions,
  ): Promise<string | undefined>
}

export type ClosingOptions = Pick<RenderOptions, 'allowDestructive'>

export interface DriftDeps {
  /** Reads the structure of a project. With `forComparison`, parts that a comparison does not need may be empty. */
  readonly loadStructure: (
    schemaName: SchemaName,
    options?: { readonly forComparison: boolean },
  ) => Promise<SchemaStructure>
  readonly lifecycle: Pick<Lifecycle, 'listen'>
  readonly stepStructures: StepStructures
  readonly wallClock: Clock
}

/** The expected structure, and what it was derived from. */
interface Found extends Omit<Drift, 'differences'> {
  readonly structure: SchemaStructure | undefined
  /** The published version that the expected structure also depends on. */
  readonly version: SchemaName | undefined
  /** Whether a second attempt may succeed in building the structure, after a temporary failure. */
  readonly isProvisional: boolean
}

interface Compared {
  readonly schemaName: SchemaName
  readonly at: EpochMillis
  readonly key: string
  readonly drift: Drift
  /** The other projects whose structure the drift depends on. */
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
      // A drift is not kept when a structure changed meanwhile, so that the next call computes it again.
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
  // Keeps the structure that was loaded last, because tenants of one version are compared one after the other with the same
  // project.
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

/** A published version is frozen and is itself the expected structure, so that it has no differences. */
function ofVersion({ version }: ExpectedStructure): Drift | undefined {
  return version?.isItself
    ? { comparedWith: version.project.slug, note: undefined, differences: [] }
    : undefined
}

const SAME = { note: undefined, isProvisional: false } as const

function reasonOf({ line, message, step = 'the SQL of the fixture' }: StepFailure): string {
  return `${step}${line === undefined ? '' : `:${line}`} fails in an empty project with "${message}"`
}

// Handles changes that were made in a template by hand before a version was frozen from it. The version and its tenants have
// these changes, although their steps do not contain them.

interface FrozenVersion {
  readonly slug: string
  /** Version of the newest step in the published version; empty without steps. */
  readonly after: string
  /** The structure of the published version. */
  readonly structure: SchemaStructure
  /** Changes the structure that the version's steps build to the structure of the version. */
  readonly sql: string
}

/**
 * Returns `undefined` when the version has exactly the structure that its steps build, or when that structure is unknown.
 * @throws {SqlError}
 */
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

/** Adds the changes that the version was frozen with to the SQL of a project. The project may have run further steps. */
function withFrozen(own: StructureSql, frozen: FrozenVersion | undefined): StructureSql {
  if (frozen === undefined) return own
  const { after, slug, sql } = frozen
  return { ...own, base: [...own.base, { version: slug, after, sql }] }
}
