// `node scripts/build-fixture-schema.ts`: writes the JSON Schema of `fixture.yaml` for editors. A test fails when what is
// written is not what the shape says.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { packageFile } from '../emulator/core/package-files.ts'
import { fixtureJsonSchema } from '../emulator/fixtures/read/fixture-shape.ts'

const path = packageFile('fixtures/fixture.schema.json')
writeFileSync(path, JSON.stringify(fixtureJsonSchema()))
execFileSync(packageFile('node_modules/.bin/biome'), ['format', '--write', path])
