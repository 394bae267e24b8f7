// Changes that were made in a template by hand before a version was frozen from it. The version and its tenants have them beside
// what their steps say.
import type { SchemaName } from '../../../core/names.ts'
import { diffStatements } from '../../../database/differ/diff-statements.ts'
import { renderStep } from '../../../database/differ/render-step.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'
import { differencesOf } from '../../../insight/workbench/tables/diff-structures.ts'
import { type ExpectedVersion, registeredSchema } from './expected-structures.ts'
import type { StepStructures } from './step-structures.ts'
import type { StructureSql } from './structure-sql.ts'

export interface FrozenVersion {
  readonly slug: string
  /** Version of its newest step; empty without steps. */
  readonly after: string
  /** The structure of the version. */
  readonly structure: SchemaStructure
  /** Turns what its steps build into its structure. */
  readonly sql: string
}

/** Returns `undefined` when the version has what its steps build, or when that is not known. @throws {SqlError} */
export async function frozenBesideSteps(
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
export function withFrozen(own: StructureSql, frozen: FrozenVersion | undefined): StructureSql {
  if (frozen === undefined) return own
  const { after, slug, sql } = frozen
  return { ...own, base: [...own.base, { version: slug, after, sql }] }
}
