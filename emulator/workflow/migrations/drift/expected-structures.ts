// Decides which structure a project of a fleet should have. It is built by the SQL of its fixture, if there is one, and by the
// steps in its ledger. Reports of drift, rehearsals and the fleet all compare projects with this structure. Pure.
import { type SchemaName, trusted } from '../../../core/names.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'
import type { FleetProject } from '../apply/fleet.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Step } from '../steps/step.ts'
import type { BasePart } from './base-store.ts'
import {
  digestOf,
  keyOfLedger,
  keyOfStructureSql,
  type StructureSql,
  stepsOfLedger,
} from './structure-sql.ts'

export interface ExpectedStructure {
  /** Equal for projects that should have the same structure. */
  readonly key: string
  /**
   * The SQL that builds the structure. `undefined` when the texts of the steps are not known, or when neither steps nor a
   * fixture made the project.
   */
  readonly structureSql: StructureSql | undefined
  /** Why the SQL is not known; also `undefined` for a project without steps. */
  readonly reason: string | undefined
  /** A project with the same steps. It serves for comparison when the SQL is not known or fails. */
  readonly reference: FleetProject | undefined
  /** The published version that the project was cloned from, or that the project itself is. */
  readonly version: ExpectedVersion | undefined
}

/** A published version. Its expected structure is the one that it was frozen with, even when its steps build another one. */
export interface ExpectedVersion {
  readonly project: FleetProject
  /** Whether the compared project is this version. */
  readonly isItself: boolean
  /** The SQL of the version's steps and of the fixture; `undefined` when that SQL is not known. */
  readonly structureSql: StructureSql | undefined
  /** Version of the newest step in the published version; empty without steps. */
  readonly after: string
}

/** A template, or a published version of it, with its ledger. */
export interface ReadTemplate {
  readonly project: FleetProject
  /** `undefined` when the ledger cannot be read. */
  readonly ledger: Ledger | undefined
}

export interface ExpectedSources {
  /** `undefined` when the template was removed. */
  readonly template: ReadTemplate | undefined
  /** Published versions, the oldest first. */
  readonly versions: readonly ReadTemplate[]
  readonly base: readonly BasePart[]
  /** All steps whose text is known. */
  readonly steps: readonly Step[]
  readonly parser: SqlParser
}

/** Returns the expected structure of a project. Returns the same object for projects that should have the same structure. */
export type ExpectedStructures = (project: FleetProject, ledger: Ledger) => ExpectedStructure

export function createExpectedStructures(sources: ExpectedSources): ExpectedStructures {
  const byProjects = new Map<string, ExpectedStructure>()
  // Computes the key of a ledger once, because all clones of one version share one ledger object.
  const keys = new WeakMap<Ledger, string>()
  const keyOf = (ledger: Ledger): string => {
    const key = keys.get(ledger) ?? keyOfLedger(ledger)
    keys.set(ledger, key)
    return key
  }
  return (project, ledger) => {
    const ledgerKey = keyOf(ledger)
    const base = partsOf(project, sources)
    // The versions identify the parts, because a project has all parts of a version or none.
    const parts = base.map(({ version }) => version).join()
    const reference = referenceOf(project, ledger, sources, (other) => keyOf(other) === ledgerKey)
    const frozen = sources.versions.find(({ project: { slug } }) =>
      [project.slug, project.templateVersion].includes(slug),
    )
    const isItself = frozen?.project.slug === project.slug
    const key = `${ledgerKey} ${parts} ${reference?.slug} ${frozen?.project.slug} ${isItself}`
    const known =
      byProjects.get(key) ?? expect(ledger, base, { reference, frozen, isItself }, sources)
    byProjects.set(key, known)
    return known
  }
}

function expect(
  { applied }: Ledger,
  base: readonly BasePart[],
  { frozen, isItself, reference }: OtherProjects,
  sources: ExpectedSources,
): ExpectedStructure {
  const found = stepsOfLedger(sources.steps, applied, sources.parser)
  const structureSql = structureSqlOf(applied, base, sources)
  const version = frozen && versionOf(frozen, isItself, sources)
  const reason =
    found.kind === 'missing'
      ? `the text of ${found.file} is missing or changed after it ran`
      : undefined
  const key = digestOf([
    structureSql && keyOfStructureSql(structureSql),
    reason,
    reference?.slug,
    ...(version === undefined ? [] : [version.project.slug, isItself, version.after]),
  ])
  return { key, structureSql, reason, reference, version }
}

interface OtherProjects {
  readonly reference: FleetProject | undefined
  /** The published version that the project was cloned from, or that the project itself is. */
  readonly frozen: ReadTemplate | undefined
  readonly isItself: boolean
}

function structureSqlOf(
  applied: Ledger['applied'],
  base: readonly BasePart[],
  { parser, steps, template }: ExpectedSources,
): StructureSql | undefined {
  const found = stepsOfLedger(steps, applied, parser)
  const isUnknown = template === undefined || (applied.length === 0 && base.length === 0)
  return isUnknown || found.kind === 'missing'
    ? undefined
    : { source: registeredSchema(template.project), base, steps: found.steps }
}

function versionOf(
  { ledger, project }: ReadTemplate,
  isItself: boolean,
  sources: ExpectedSources,
): ExpectedVersion | undefined {
  if (ledger === undefined) return undefined
  const structureSql = structureSqlOf(ledger.applied, partsOf(project, sources), sources)
  const after =
    ledger.applied
      .map(({ version }) => version)
      .toSorted()
      .at(-1) ?? ''
  return { project, isItself, structureSql, after }
}

/**
 * Returns the parts of the fixture's SQL that the project has. These parts ran before the project's version of the template was
 * frozen.
 */
function partsOf(
  { slug, templateVersion }: FleetProject,
  { base, template, versions }: ExpectedSources,
): readonly BasePart[] {
  if (slug === template?.project.slug) return base
  const order = [...(template ? [template] : []), ...versions].map(({ project }) => project.slug)
  const at = order.indexOf(templateVersion ?? slug)
  return at === -1 ? base : base.filter(({ version }) => order.indexOf(version) <= at)
}

/**
 * Finds a project with the same steps. For a tenant: the published version that it was cloned from, else the newest version,
 * else the template. For a template with steps: the newest version. For a version: no project.
 */
function referenceOf(
  { slug, templateVersion }: FleetProject,
  { applied }: Ledger,
  { template, versions }: ExpectedSources,
  isSame: (ledger: Ledger) => boolean,
): FleetProject | undefined {
  const isTemplate = slug === template?.project.slug
  if ((isTemplate && applied.length === 0) || versions.some(({ project }) => project.slug === slug))
    return undefined
  const newestFirst = versions.toReversed()
  const own = newestFirst.filter(({ project }) => project.slug === templateVersion)
  const source = template === undefined || isTemplate ? [] : [template]
  return [...own, ...newestFirst, ...source].find(
    ({ ledger }) => ledger !== undefined && isSame(ledger),
  )?.project
}

/** Returns the schema name of a registered project, which needs no check. */
export function registeredSchema({ schemaName }: { readonly schemaName: string }): SchemaName {
  return trusted.schemaName(schemaName)
}
