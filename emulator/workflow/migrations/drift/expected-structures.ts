// What a project of a fleet should have: the SQL of its fixture, if it has one, and the steps that its ledger records. Reports of
// drift, rehearsals and the fleet all compare with this. Pure.
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
  /** Equal when the same structure is expected. */
  readonly key: string
  /** `undefined` when the texts of the steps are not known, or when neither steps nor a fixture made the project. */
  readonly structureSql: StructureSql | undefined
  /** Why the SQL is not known; `undefined` also for a project without steps. */
  readonly reason: string | undefined
  /** A project with the same steps, whose structure is compared when the SQL is not known or fails. */
  readonly reference: FleetProject | undefined
  /** The published version that the project is, or was cloned from. */
  readonly version: ExpectedVersion | undefined
}

/** A published version. It is what it was frozen from, also where its steps say something else. */
export interface ExpectedVersion {
  readonly project: FleetProject
  /** Whether the project is the version itself. */
  readonly isItself: boolean
  /** What its steps and the fixture say; `undefined` when that is not known. */
  readonly structureSql: StructureSql | undefined
  /** Version of its newest step; empty without steps. */
  readonly after: string
}

/** A template or one of its versions. */
export interface ReadTemplate {
  readonly project: FleetProject
  /** `undefined` when it cannot be read. */
  readonly ledger: Ledger | undefined
}

export interface ExpectedSources {
  /** `undefined` when the template was removed. */
  readonly template: ReadTemplate | undefined
  /** The oldest first. */
  readonly versions: readonly ReadTemplate[]
  readonly base: readonly BasePart[]
  /** All steps that are known. */
  readonly steps: readonly Step[]
  readonly parser: SqlParser
}

/** Returns the same object for projects of which the same is expected. */
export type ExpectedStructures = (project: FleetProject, ledger: Ledger) => ExpectedStructure

export function createExpectedStructures(sources: ExpectedSources): ExpectedStructures {
  const byProjects = new Map<string, ExpectedStructure>()
  // Clones of one version share one ledger.
  const keys = new WeakMap<Ledger, string>()
  const keyOf = (ledger: Ledger): string => {
    const key = keys.get(ledger) ?? keyOfLedger(ledger)
    keys.set(ledger, key)
    return key
  }
  return (project, ledger) => {
    const ledgerKey = keyOf(ledger)
    const base = partsOf(project, sources)
    // A project has the parts of some versions, so that the versions identify them.
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
  /** The version that the project is, or was cloned from. */
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

/** The parts of the fixture's SQL that the project has: those that ran before its version of the template was frozen. */
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
 * For a tenant: the published version that it was cloned from, else the newest version, else the template. For a template with
 * steps: the newest version. For a version: none.
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

/** Returns the name of a schema that comes from the registry. */
export function registeredSchema({ schemaName }: { readonly schemaName: string }): SchemaName {
  return trusted.schemaName(schemaName)
}
