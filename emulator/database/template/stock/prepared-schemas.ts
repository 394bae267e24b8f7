// The schemas of prepared clones: their names, and the jobs that build, hand out and drop one.
import { type SchemaName, trusted } from '../../../core/names.ts'
import { cellText, type Engine, type StatementResult } from '../../engine.ts'
import { identifier, literal, type Sql, script, sql, verbatim } from '../../sql.ts'
import {
  createProjectScript,
  dropProjectScript,
  releaseSchema,
  renameProjectScript,
} from '../../tenant-schema/install.ts'
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
const NAME = `^${PREFIX}[0-9a-f]{32}$`
const OWNER = `^(${PREFIX}[0-9a-f]{32})_owner$`
// Each job is a transaction of about 2 ms (measured: 0.75 ms for each new table, index or sequence).
const STATEMENTS_PER_JOB = 2

/** @param uuid makes the name unique, so that no text of a template contains it */
export function preparedName(uuid: string): SchemaName {
  return trusted.schemaName(`${PREFIX}${uuid.replaceAll('-', '')}`)
}

/** Builds a clone of the structure in several transactions. */
export async function buildPrepared(
  engine: Engine,
  jobs: IdleJobs,
  { clone, fidelity, structure }: PreparedDraft,
): Promise<void> {
  for (const part of parts(createProjectScript(clone)))
    await jobs.run(() => engine.admin(script(part)))
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
  await engine.admin(script([...renameProjectScript(clone, target), ...comment]))
  const rename = renamer(clone, target)
  const statements = [
    ...texts.map(({ text }) => verbatim(rename(text))),
    ...refreshStatements(structure, target),
  ]
  if (statements.length > 0)
    await engine.run(ownerWork(target, [...cloneSettings(fidelity), ...statements], fidelity))
}

/** Lists the prepared clones in the database, also incomplete ones that a killed process left behind. */
export async function listPrepared(engine: Engine): Promise<readonly SchemaName[]> {
  const [found] = await engine.admin(
    script([
      sql`select nspname::text from pg_catalog.pg_namespace where nspname ~ ${literal(NAME)}
union
select pg_catalog.substring(rolname::text, ${literal(OWNER)}) from pg_catalog.pg_roles where rolname ~ ${literal(OWNER)}`,
    ]),
  )
  return namesOf(found).map((name) => trusted.schemaName(name))
}

/** Drops a prepared clone or another hidden schema, a few tables in each transaction. */
export async function dropPrepared(
  engine: Engine,
  jobs: Pick<IdleJobs, 'run'>,
  clone: SchemaName,
): Promise<void> {
  const [, tables] = await jobs.run(() =>
    engine.admin(
      script([
        releaseSchema(clone),
        sql`select relname from pg_catalog.pg_class
where relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ${literal(clone)}) and relkind = 'r'`,
      ]),
    ),
  )
  const drops = namesOf(tables).map(
    (table) => sql`drop table if exists ${identifier(clone, table)} cascade`,
  )
  for (const part of parts(drops)) await jobs.run(() => engine.admin(script([QUIET, ...part])))
  await jobs.run(() => engine.admin(script(dropProjectScript(clone))))
}

const QUIET = sql`set local client_min_messages = warning`

function namesOf(result: StatementResult | undefined): readonly string[] {
  return (result?.rows ?? []).map(([name]) => cellText(name) ?? '')
}

function parts(statements: readonly Sql[]): readonly (readonly Sql[])[] {
  const count = Math.ceil(statements.length / STATEMENTS_PER_JOB)
  return Array.from({ length: count }, (_, index) =>
    statements.slice(index * STATEMENTS_PER_JOB, (index + 1) * STATEMENTS_PER_JOB),
  )
}
