// The version of the release, from package.json.
import { readFileSync } from 'node:fs'
import { packageFile } from './package-files.ts'

const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
  readonly version: string
}

export const version: string = manifest.version
