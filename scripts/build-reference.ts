// `npm run docs`: writes the generated pages of docs/reference, the API report, and the tables of docs/wire/errors.md. It also
// writes the table of tools in docs/reference/platforms.md, and the JSON Schema of `fixture.yaml` for editors.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolveConfig } from '../emulator/assembly/config.ts'
import { createProgram } from '../emulator/cli/program.ts'
import { OPERATIONS } from '../emulator/contract/operations.ts'
import { packageFile } from '../emulator/core/package-files.ts'
import { version } from '../emulator/core/version.ts'
import { INSPECTOR_REFUSALS } from '../emulator/insight/api-kit/refusals.ts'
import { fixtureJsonSchema } from '../emulator/workflow/fixtures/read/fixture-shape.ts'
import { introductionOf, libraryPage, testingPage } from './api-pages.ts'
import { apiReport, versionOf } from './api-report.ts'
import { withErrorTables } from './error-page.ts'
import { manPage } from './man-page.ts'
import { withToolTable } from './outside-table.ts'
import { entryPrograms, type PublicName, readPublicApi } from './public-api.ts'
import { cliPage, emulatorApiPage, fixtureKeysPage, type KeySchema } from './reference-pages.ts'

/** Paths of the API reports, from the package's root: of this source tree, and of the released version in package.json. */
export const CURRENT = 'docs/api/current.txt'
export const RELEASED = 'docs/api/released.txt'

/** Each page with generated parts, by its path. */
export function generatedPages(): Readonly<Record<string, string>> {
  const tools = pageAt('test/outside/tools/results.json')
  return {
    'docs/reference/cli.md': cliPage(createProgram()),
    'docs/reference/tenantry.1': manPage(createProgram(), version),
    'docs/reference/fixture-keys.md': fixtureKeysPage(fixtureJsonSchema() as KeySchema),
    'docs/reference/emulator-api.md': emulatorApiPage(OPERATIONS, INSPECTOR_REFUSALS),
    'docs/wire/errors.md': withErrorTables(pageAt('docs/wire/errors.md')),
    'docs/reference/platforms.md': withToolTable(
      pageAt('docs/reference/platforms.md'),
      JSON.parse(tools),
    ),
  }
}

/** The pages made of the docstrings of the public names, by their path. */
export function apiPages(api: readonly PublicName[]): Readonly<Record<string, string>> {
  const introduction = (name: string): string => introductionOf(pageAt(`docs/reference/${name}`))
  return {
    'docs/reference/library.md': libraryPage(api, introduction('library.md'), {
      EmulatorConfig: resolveConfig({}),
    }),
    'docs/reference/testing.md': testingPage(api, introduction('testing.md')),
  }
}

function pageAt(path: string): string {
  return readFileSync(packageFile(path), 'utf8')
}

/** Writes the API report. Also writes the report as the release's report when package.json has a new version. */
function writeReport(report: string): void {
  const released = packageFile(RELEASED)
  writeFileSync(packageFile(CURRENT), report)
  if (!existsSync(released) || versionOf(readFileSync(released, 'utf8')) !== version)
    writeFileSync(released, report)
}

if (import.meta.main) {
  const api = readPublicApi(entryPrograms())
  for (const [path, text] of Object.entries({ ...generatedPages(), ...apiPages(api) }))
    writeFileSync(packageFile(path), text)
  writeReport(apiReport(version, api))
  const schema = packageFile('fixtures/fixture.schema.json')
  writeFileSync(schema, JSON.stringify(fixtureJsonSchema()))
  execFileSync(packageFile('node_modules/.bin/biome'), ['format', '--write', schema])
}
