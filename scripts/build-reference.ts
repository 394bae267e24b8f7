// `npm run docs`: writes the generated pages of docs/reference, and the JSON Schema of `fixture.yaml` for editors.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createProgram } from '../emulator/cli/program.ts'
import { OPERATIONS } from '../emulator/contract/operations.ts'
import { packageFile } from '../emulator/core/package-files.ts'
import { fixtureJsonSchema } from '../emulator/fixtures/read/fixture-shape.ts'
import { cliPage, emulatorApiPage, fixtureKeysPage, type KeySchema } from './reference-pages.ts'

/** Each generated page of docs/reference by its name. */
export function referencePages(): Readonly<Record<string, string>> {
  return {
    'cli.md': cliPage(createProgram()),
    'fixture-keys.md': fixtureKeysPage(fixtureJsonSchema() as KeySchema),
    'emulator-api.md': emulatorApiPage(OPERATIONS),
  }
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(referencePages()))
    writeFileSync(packageFile('docs/reference', name), text)
  const schema = packageFile('fixtures/fixture.schema.json')
  writeFileSync(schema, JSON.stringify(fixtureJsonSchema()))
  execFileSync(packageFile('node_modules/.bin/biome'), ['format', '--write', schema])
}
