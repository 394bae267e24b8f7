// `node scripts/build-contract-schemas.ts`: writes the JSON Schemas of the wire's types (emulator/contract) for the
// OpenAPI document. A test fails when what is written is not what the types say.
import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile } from '../emulator/core/package-files.ts'
import { contractSchemas } from './contract-schemas.ts'

const folder = packageFile('emulator/contract')
const files = readdirSync(folder).map((name) => join(folder, name))
const path = packageFile('emulator/emulator-api/openapi/contract-schemas.json')
writeFileSync(path, JSON.stringify(contractSchemas(files)))
execFileSync(packageFile('node_modules/.bin/biome'), ['format', '--write', path])
