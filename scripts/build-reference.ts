// `npm run docs`: writes the generated pages of docs/reference.
import { writeFileSync } from 'node:fs'
import { createProgram } from '../emulator/cli/program.ts'
import { packageFile } from '../emulator/core/package-files.ts'
import { OPERATIONS } from '../emulator/emulator-api/openapi/operations.ts'
import { fixtureJsonSchema } from '../emulator/fixtures/read/fixture-shape.ts'
import { cliPage, emulatorApiPage, fixtureKeysPage, type KeySchema } from './reference-pages.ts'

/** Each generated page of docs/reference by its name. */
export function referencePages(): Readonly<Record<string, string>> {
  return {
    'cli.md': cliPage(createProgram()),
    'fixture-keys.md': fixtureKeysPage(fixtureJsonSchema() as KeySchema),
    'emulator-api.md': emulatorApiPage(
      Object.entries(OPERATIONS).map(([name, { summary }]) => ({ name, summary })),
    ),
  }
}

if (import.meta.main)
  for (const [name, text] of Object.entries(referencePages()))
    writeFileSync(packageFile('docs/reference', name), text)
