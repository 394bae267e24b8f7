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
    const key = `${ledgerKey} ${parts} ${reference?.slug}`
    const known = byProjects.get(key) ?? expect(ledger, base, reference, sources)
    byProjects.set(key, known)
    return known
  }
}

function expect(
  { applied }: Ledger,
  base: readonly BasePart[],
  reference: FleetProject | undefined,
  { parser, steps, template }: ExpectedSources,
): ExpectedStructure {
  const found = stepsOfLedger(steps, applied, parser)
  const isUnknown = template === undefined || (applied.length === 0 && base.length === 0)
  const structureSql =
    isUnknown || found.kind === 'missing'
      ? undefined
      : { source: registeredSchema(template.project), base, steps: found.steps }
  const reason =
    found.kind === 'missing'
      ? `the text of ${found.file} is missing or changed after it ran`
      : undefined
  const key = digestOf([structureSql && keyOfStructureSql(structureSql), reason, reference?.slug])
  return { key, structureSql, reason, reference }
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
