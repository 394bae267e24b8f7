// `npm run docs`: writes the generated pages of docs/reference, the API report, the table of tools in
// docs/guide/psql-and-types.md, and the JSON Schema of `fixture.yaml` for editors.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolveConfig } from '../emulator/assembly/config.ts'
import { createProgram } from '../emulator/cli/program.ts'
import { OPERATIONS } from '../emulator/contract/operations.ts'
import { packageFile } from '../emulator/core/package-files.ts'
import { version } from '../emulator/core/version.ts'
import { fixtureJsonSchema } from '../emulator/workflow/fixtures/read/fixture-shape.ts'
import { introductionOf, libraryPage, testingPage } from './api-pages.ts'
import { apiReport, versionOf } from './api-report.ts'
import { withToolTable } from './outside-table.ts'
import { entryPrograms, type PublicName, readPublicApi } from './public-api.ts'
import { cliPage, emulatorApiPage, fixtureKeysPage, type KeySchema } from './reference-pages.ts'

/** The API report of this tree and that of the version in package.json, from the package's root. */
export const CURRENT = 'api/current.txt'
export const RELEASED = 'api/released.txt'

const TOOLS_PAGE = packageFile('docs/guide/psql-and-types.md')

/** Each generated page of docs/reference by its name. */
export function referencePages(): Readonly<Record<string, string>> {
  return {
    'cli.md': cliPage(createProgram()),
    'fixture-keys.md': fixtureKeysPage(fixtureJsonSchema() as KeySchema),
    'emulator-api.md': emulatorApiPage(OPERATIONS),
  }
}

/** The pages made of the docstrings of the public names, by their name in docs/reference. */
export function apiPages(api: readonly PublicName[]): Readonly<Record<string, string>> {
  const introduction = (name: string): string =>
    introductionOf(readFileSync(packageFile('docs/reference', name), 'utf8'))
  return {
    'library.md': libraryPage(api, introduction('library.md'), {
      EmulatorConfig: resolveConfig({}),
    }),
    'testing.md': testingPage(api, introduction('testing.md')),
  }
}

/** docs/guide/psql-and-types.md with the table of tools, as `npm run outside` recorded them. */
export function toolsPage(): string {
  const record = readFileSync(packageFile('test/outside/tools/results.json'), 'utf8')
  return withToolTable(readFileSync(TOOLS_PAGE, 'utf8'), JSON.parse(record))
}

/** Writes the API report. With a new version in package.json, it becomes the report of the release, too. */
function writeReport(report: string): void {
  const released = packageFile(RELEASED)
  writeFileSync(packageFile(CURRENT), report)
  if (!existsSync(released) || versionOf(readFileSync(released, 'utf8')) !== version)
    writeFileSync(released, report)
}

if (import.meta.main) {
  writeFileSync(TOOLS_PAGE, toolsPage())
  const api = readPublicApi(entryPrograms())
  for (const [name, text] of Object.entries({ ...referencePages(), ...apiPages(api) }))
    writeFileSync(packageFile('docs/reference', name), text)
  writeReport(apiReport(version, api))
  const schema = packageFile('fixtures/fixture.schema.json')
  writeFileSync(schema, JSON.stringify(fixtureJsonSchema()))
  execFileSync(packageFile('node_modules/.bin/biome'), ['format', '--write', schema])
}
