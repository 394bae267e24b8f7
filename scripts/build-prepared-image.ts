// Makes the prepared image (emulator/database/embedded/cluster/prepared-image.ts): an engine runs the SQL of the demo's template
// and clones it once for each tenant. Rows, users and keys are made when the demo is applied, because they differ between
// installations. Run it after the cluster image is made: `node scripts/build-prepared-image.ts [path]`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqlExecutor } from '../emulator/control/sql-console/execute-sql.ts'
import { SystemClock } from '../emulator/core/clock.ts'
import { SystemIdSource } from '../emulator/core/id-source.ts'
import { packageFile } from '../emulator/core/package-files.ts'
import { ensureClusterImage } from '../emulator/database/embedded/cluster/cluster-image.ts'
import {
  BUNDLED_PREPARED_IMAGE,
  writePreparedImage,
} from '../emulator/database/embedded/cluster/prepared-image.ts'
import { openPgliteEngine } from '../emulator/database/embedded/pglite-engine.ts'
import type { Engine } from '../emulator/database/engine.ts'
import { script } from '../emulator/database/sql.ts'
import { cloneSchema, refreshStatements } from '../emulator/database/template/clone-schema.ts'
import {
  digestOfScripts,
  imageSchemaName,
  noteImageSchema,
} from '../emulator/database/template/stock/image-schemas.ts'
import { keptTexts } from '../emulator/database/template/stock/kept-texts.ts'
import { countsOf, loadStructure } from '../emulator/database/template/structure.ts'
import { createProjectScript } from '../emulator/database/tenant-schema/install.ts'
import { readGiven } from '../emulator/fixtures/fixtures.ts'
import type { Project } from '../emulator/projects/project.ts'

const MAX_RESULT_BYTES = 1 << 20

/** Writes the image of the fixture in `folder`. @throws {Error} when a schema cannot be renamed after it was prepared */
export async function buildPreparedImage(path: string, folder: string): Promise<void> {
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
      const { definition, files } = await readGiven(folder)
      for (const { template, tenants } of definition.groups) {
        const scripts = template.sql.map((source) =>
          typeof source === 'string' ? new TextDecoder().decode(files.read(source)) : source.text,
        )
        await prepare(engine, scripts, tenants.length)
      }
    } finally {
      await engine.close()
    }
    writePreparedImage(path, clusterImage, dataDir)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function prepare(engine: Engine, scripts: readonly string[], clones: number): Promise<void> {
  const digest = digestOfScripts(scripts)
  const source = imageSchemaName(digest, 0)
  const execute = createSqlExecutor({ engine, maxResultBytes: MAX_RESULT_BYTES })
  await engine.admin(script(createProjectScript(source)))
  for (const text of scripts) {
    // The executor uses only the schema's name.
    const project = { schemaName: source } as Project
    const outcome = await execute(project, text, new AbortController().signal)
    if (outcome.kind === 'sqlError') throw new Error(`${outcome.message} (${outcome.code})`)
  }
  const structure = await loadStructure(engine, source)
  const texts = keptTexts(structure, imageSchemaName(digest, 1), 'full')
  const isFilled = refreshStatements(structure, source).length > 0
  if (texts?.length !== 0 || isFilled || structure.schemaComment !== undefined)
    throw new Error('the template has texts with its schema’s name, or a materialised view')
  const counts = countsOf(structure)
  await engine.admin(script([noteImageSchema(source, { scripts: digest, kind: 'source', counts })]))
  for (let number = 1; number <= clones; number += 1) {
    const clone = imageSchemaName(digest, number)
    await cloneSchema(engine, structure, clone, 'full')
    await engine.admin(script([noteImageSchema(clone, { scripts: digest, kind: 'clone', counts })]))
  }
}

if (import.meta.main)
  await buildPreparedImage(
    process.argv[2] ?? BUNDLED_PREPARED_IMAGE,
    packageFile('fixtures/clinics'),
  )
