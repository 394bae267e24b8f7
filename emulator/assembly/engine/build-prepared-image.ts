// Makes a prepared image (database/embedded/cluster/prepared-image.ts): an engine builds templates and clones, and new data
// directories start with them. The package's build prepares the demo; `tenantry/vitest` prepares the application's steps.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock } from '../../core/clock.ts'
import { SystemIdSource } from '../../core/id-source.ts'
import type { SchemaName } from '../../core/names.ts'
import { ensureClusterImage } from '../../database/embedded/cluster/cluster-image.ts'
import { writePreparedImage } from '../../database/embedded/cluster/prepared-image.ts'
import { openPgliteEngine } from '../../database/embedded/pglite-engine.ts'
import type { Engine } from '../../database/engine.ts'
import { script } from '../../database/sql.ts'
import { loadSqlParser } from '../../database/sql-parser.ts'
import { cloneSchema, refreshStatements } from '../../database/template/clone-schema.ts'
import {
  digestOfScripts,
  type ImageSchema,
  imageSchemaName,
  noteImageSchema,
} from '../../database/template/stock/image-schemas.ts'
import { keptTexts } from '../../database/template/stock/kept-texts.ts'
import { countsOf, loadStructure, type SchemaStructure } from '../../database/template/structure.ts'
import { createProjectScript } from '../../database/tenant-schema/install.ts'
import type { Project } from '../../platform/projects/project.ts'
import { createSqlExecutor } from '../../services/control/db-exec/execute-sql.ts'
import { applySteps } from '../../workflow/migrations/apply/apply-steps.ts'
import { execOutcome } from '../../workflow/migrations/apply/local-fleet.ts'
import { type Step, scriptsOfSteps } from '../../workflow/migrations/steps/step.ts'

/** A template to prepare: SQL, or migration steps with their ledger. */
export type PreparedTemplate =
  | { readonly scripts: readonly string[]; readonly clones: number }
  | { readonly steps: readonly Step[]; readonly clones: number }

/** Identifies an installation by its cluster image and its SQL for new projects. An image fits only the same installation. */
export async function imageBasis(): Promise<string> {
  const path = await ensureClusterImage()
  const { mtimeMs, size } = statSync(path)
  const project = createProjectScript(imageSchemaName('', 0)).map(({ text }) => text)
  return JSON.stringify([path, size, mtimeMs, project])
}

const MAX_RESULT_BYTES = 1 << 20

/** SQL of a template failed. Applying the template reports the same failure with its place. */
export class TemplateFailed extends Error {
  override readonly name = 'TemplateFailed'
}

/**
 * Writes the image.
 * @throws {TemplateFailed} when SQL of a template fails
 * @throws {Error} when the template has an object that does not allow a later renaming of its schema
 */
export async function buildPreparedImage(
  path: string,
  templates: readonly PreparedTemplate[],
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'tenantry-prepared-'))
  try {
    const dataDir = join(root, 'cluster')
    const clusterImage = await ensureClusterImage()
    const engine = await openPgliteEngine({
      dataDir,
      wallClock: new SystemClock(),
      ids: new SystemIdSource(),
      observe: () => {},
      clusterImage,
    })
    try {
      for (const template of templates) await prepare(engine, template)
    } finally {
      await engine.close()
    }
    writePreparedImage(path, clusterImage, dataDir)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function prepare(engine: Engine, template: PreparedTemplate): Promise<void> {
  const scripts = 'steps' in template ? scriptsOfSteps(template.steps) : template.scripts
  const digest = digestOfScripts(scripts)
  const source = imageSchemaName(digest, 0)
  await engine.projects.create(source)
  await runTemplate(engine, source, template)
  const structure = await loadStructure(engine, source)
  if (refreshStatements(structure, source).length > 0)
    throw new Error('the template has a materialised view')
  if (structure.schemaComment !== undefined)
    throw new Error('the template has a comment on its schema')
  const counts = countsOf(structure)
  const note = async (schemaName: SchemaName, kind: ImageSchema['kind']): Promise<void> => {
    const texts = textsOf(structure, schemaName)
    const noted = noteImageSchema(schemaName, { scripts: digest, kind, counts, texts })
    await engine.admin(schemaName, script([noted]))
  }
  await note(source, 'source')
  for (let number = 1; number <= template.clones; number += 1) {
    const clone = imageSchemaName(digest, number)
    await cloneSchema(engine, structure, clone, 'full')
    await note(clone, 'clone')
  }
}

/** Returns the statements to repeat after the schema was renamed, such as functions with SET search_path FROM CURRENT. */
function textsOf(structure: SchemaStructure, schemaName: SchemaName): readonly string[] {
  const texts = keptTexts(structure, schemaName, 'full')
  if (texts !== undefined) return texts.map(({ text }) => text)
  throw new Error('an object of the template other than a function contains the name of its schema')
}

async function runTemplate(
  engine: Engine,
  source: SchemaName,
  template: PreparedTemplate,
): Promise<void> {
  const execute = createSqlExecutor({ engine, maxResultBytes: MAX_RESULT_BYTES })
  // The executor uses only the schema's name.
  const project = { schemaName: source } as Project
  const { signal } = new AbortController()
  if ('steps' in template) {
    const exec = (text: string) => execOutcome(() => execute(project, text, signal))
    const { failure } = await applySteps(exec, template.steps, await loadSqlParser())
    if (failure !== undefined) throw new TemplateFailed(`${failure.message} (${failure.code})`)
    return
  }
  for (const text of template.scripts) {
    const outcome = await execute(project, text, signal)
    if (outcome.kind === 'sqlError')
      throw new TemplateFailed(`${outcome.message} (${outcome.code})`)
  }
}
