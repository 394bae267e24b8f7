// What a project of a fleet should have: the SQL of its fixture, if it has one, and the steps that its ledger records. Reports of
// drift, rehearsals and the fleet all compare with this. Pure.
import { type SchemaName, trusted } from '../../core/names.ts'
import type { SqlParser } from '../../database/sql-parser.ts'
import type { FleetProject } from '../apply/fleet.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Step } from '../steps/step.ts'
import type { BasePart } from './base-store.ts'
import { digestOf, keyOfLedger, keyOfRecipe, type Recipe, stepsOfLedger } from './recipe.ts'

export interface Expectation {
  /** Equal for equal expectations. */
  readonly key: string
  /** `undefined` when the texts of the steps are not known, or when neither steps nor a fixture made the project. */
  readonly recipe: Recipe | undefined
  /** Why there is no recipe; `undefined` also for a project without steps. */
  readonly reason: string | undefined
  /** A project with the same steps, for a project without a recipe and for a recipe that fails. */
  readonly standIn: FleetProject | undefined
}

/** A template or one of its versions. */
export interface ReadTemplate {
  readonly project: FleetProject
  /** `undefined` when it cannot be read. */
  readonly ledger: Ledger | undefined
}

export interface ExpectationSources {
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
export type Expectations = (project: FleetProject, ledger: Ledger) => Expectation

export function createExpectations(sources: ExpectationSources): Expectations {
  const byProjects = new Map<string, Expectation>()
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
    const standIn = standInOf(project, ledger, sources, (other) => keyOf(other) === ledgerKey)
    const key = `${ledgerKey} ${base.length} ${standIn?.slug}`
    const known = byProjects.get(key) ?? expect(ledger, base, standIn, sources)
    byProjects.set(key, known)
    return known
  }
}

function expect(
  { applied }: Ledger,
  base: readonly BasePart[],
  standIn: FleetProject | undefined,
  { parser, steps, template }: ExpectationSources,
): Expectation {
  const found = stepsOfLedger(steps, applied, parser)
  const isUnknown = template === undefined || (applied.length === 0 && base.length === 0)
  const recipe =
    isUnknown || found.kind === 'missing'
      ? undefined
      : { source: registeredSchema(template.project), base, steps: found.steps }
  const reason =
    found.kind === 'missing'
      ? `the text of ${found.file} is missing or changed after it ran`
      : undefined
  const key = digestOf([recipe && keyOfRecipe(recipe), reason, standIn?.slug])
  return { key, recipe, reason, standIn }
}

/** The parts of the fixture's SQL that the project has: those that ran before its version of the template was frozen. */
function partsOf(
  { slug, templateVersion }: FleetProject,
  { base, template, versions }: ExpectationSources,
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
function standInOf(
  { slug, templateVersion }: FleetProject,
  { applied }: Ledger,
  { template, versions }: ExpectationSources,
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
