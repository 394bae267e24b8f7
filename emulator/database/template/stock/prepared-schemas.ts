// The schemas of prepared clones: their names, and the jobs that build, hand out and drop one.
import { type SchemaName, trusted } from '../../../core/names.ts'
import type { Engine } from '../../engine.ts'
import { type Sql, verbatim } from '../../sql.ts'
import {
  cloneSettings,
  cloneStatements,
  type Fidelity,
  ownerWork,
  refreshStatements,
  schemaStatements,
} from '../clone-schema.ts'
import { renamer } from '../rename-structure.ts'
import type { SchemaStructure } from '../structure.ts'
import type { IdleJobs } from './idle-jobs.ts'

// A slug has at most 44 characters and these names have 48 after `proj_`, so no project can have such a name. The fence hides
// these schemas from every tenant, like the schemas of other projects.
const PREFIX = 'proj_prepared_tenant_'
const NAME = new RegExp(`^${PREFIX}[0-9a-f]{32}$`)
// Each job is a transaction of about 2 ms (measured: 0.75 ms for each new table, index or sequence).
const STATEMENTS_PER_JOB = 2

/** @param uuid makes the name unique, so that no text of a template contains it */
export function preparedName(uuid: string): SchemaName {
  return trusted.schemaName(`${PREFIX}${uuid.replaceAll('-', '')}`)
}

/** Whether the schema is a prepared clone, which no project owns. */
export function isPrepared(schemaName: string): boolean {
  return NAME.test(schemaName)
}

/** Builds a clone of the structure in several transactions. */
export async function buildPrepared(
  engine: Engine,
  jobs: IdleJobs,
  { clone, fidelity, structure }: PreparedDraft,
): Promise<void> {
  await engine.projects.create(clone, [], (part) => jobs.run(part))
  const settings = cloneSettings(fidelity)
  const statements = cloneStatements(structure, clone, fidelity).slice(settings.length)
  for (const part of parts(statements))
    await jobs.run(() => engine.run(ownerWork(clone, [...settings, ...part], fidelity)))
}

export interface PreparedDraft {
  readonly clone: SchemaName
  readonly structure: SchemaStructure
  readonly fidelity: Fidelity
}

/**
 * Renames a prepared clone, and runs the statements again whose effect contains its name as text.
 * @param texts the result of `keptTexts`
 * @throws {SqlError}
 */
export async function handOut(
  engine: Engine,
  { clone, fidelity, structure }: PreparedDraft,
  texts: readonly Sql[],
  target: SchemaName,
): Promise<void> {
  const ofTemplate = renamer(structure.schemaName, target)
  const comment = schemaStatements(structure).map(({ text }) => verbatim(ofTemplate(text)))
  await engine.projects.rename(clone, target, comment)
  const rename = renamer(clone, target)
  const statements = [
    ...texts.map(({ text }) => verbatim(rename(text))),
    ...refreshStatements(structure, target),
  ]
  if (statements.length > 0)
    await engine.run(ownerWork(target, [...cloneSettings(fidelity), ...statements], fidelity))
}

/** Lists the prepared clones in the database, also incomplete ones that a killed process left behind. */
export async function listPrepared({ projects }: Engine): Promise<readonly SchemaName[]> {
  return (await projects.list(PREFIX)).filter(isPrepared)
}

function parts(statements: readonly Sql[]): readonly (readonly Sql[])[] {
  const count = Math.ceil(statements.length / STATEMENTS_PER_JOB)
  return Array.from({ length: count }, (_, index) =>
    statements.slice(index * STATEMENTS_PER_JOB, (index + 1) * STATEMENTS_PER_JOB),
  )
}
