// `npm run docs`: writes the generated pages of docs/reference, the table of tools in docs/guide/psql-and-types.md, and the
// JSON Schema of `fixture.yaml` for editors.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createProgram } from '../emulator/cli/program.ts'
import { OPERATIONS } from '../emulator/contract/operations.ts'
import { packageFile } from '../emulator/core/package-files.ts'
import { fixtureJsonSchema } from '../emulator/workflow/fixtures/read/fixture-shape.ts'
import { withToolTable } from './outside-table.ts'
import { cliPage, emulatorApiPage, fixtureKeysPage, type KeySchema } from './reference-pages.ts'

const TOOLS_PAGE = packageFile('docs/guide/psql-and-types.md')

/** Each generated page of docs/reference by its name. */
export function referencePages(): Readonly<Record<string, string>> {
  return {
    'cli.md': cliPage(createProgram()),
    'fixture-keys.md': fixtureKeysPage(fixtureJsonSchema() as KeySchema),
    'emulator-api.md': emulatorApiPage(OPERATIONS),
  }
}

/** docs/guide/psql-and-types.md with the table of tools, as `npm run outside` recorded them. */
export function toolsPage(): string {
  const record = readFileSync(packageFile('test/outside/tools/results.json'), 'utf8')
  return withToolTable(readFileSync(TOOLS_PAGE, 'utf8'), JSON.parse(record))
}

if (import.meta.main) {
  writeFileSync(TOOLS_PAGE, toolsPage())
  for (const [name, text] of Object.entries(referencePages()))
    writeFileSync(packageFile('docs/reference', name), text)
  const schema = packageFile('fixtures/fixture.schema.json')
  writeFileSync(schema, JSON.stringify(fixtureJsonSchema()))
  execFileSync(packageFile('node_modules/.bin/biome'), ['format', '--write', schema])
}
