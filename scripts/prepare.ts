// Run by `npm ci`, and by `npx tenantry` in a clone: builds `dist/`, unless it was built from the current sources. A second build
// by `npx tenantry env` would replace the files of a running emulator.
import { existsSync, readFileSync } from 'node:fs'
import { packageFile } from '../emulator/core/package-files.ts'
import { BUILT_FROM, sourcesHash } from './built-from.ts'

const isCurrent =
  existsSync(packageFile('dist/bin.mjs')) &&
  existsSync(BUILT_FROM) &&
  readFileSync(BUILT_FROM, 'utf8') === sourcesHash()
if (!isCurrent) await import('./build.ts')
