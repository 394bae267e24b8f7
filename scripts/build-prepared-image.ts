// Makes the prepared image of the demo (emulator/assembly/engine/build-prepared-image.ts): its template's SQL, and one clone for
// each tenant. Rows, users and keys are made when the demo is applied, because they differ between installations. Run this script
// after the cluster image is made: `node scripts/build-prepared-image.ts [path]`.
import { buildPreparedImage } from '../emulator/assembly/engine/build-prepared-image.ts'
import { packageFile } from '../emulator/core/package-files.ts'
import { BUNDLED_PREPARED_IMAGE } from '../emulator/database/embedded/cluster/prepared-image.ts'
import { readGiven } from '../emulator/workflow/fixtures/fixtures.ts'

/** Writes the image of the fixture in `folder`. @throws {Error} when a schema cannot be renamed after it was prepared */
export async function buildFixtureImage(path: string, folder: string): Promise<void> {
  const { definition, files } = await readGiven(folder)
  const templates = definition.groups.map(({ template, tenants }) => ({
    scripts: template.sql.map((source) =>
      typeof source === 'string' ? new TextDecoder().decode(files.read(source)) : source.text,
    ),
    clones: tenants.length,
  }))
  await buildPreparedImage(path, templates)
}

if (import.meta.main)
  await buildFixtureImage(
    process.argv[2] ?? BUNDLED_PREPARED_IMAGE,
    packageFile('fixtures/clinics'),
  )
