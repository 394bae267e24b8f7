// The release, as package.json states it.
import { readFileSync } from 'node:fs'
import { packageFile } from './core/package-files.ts'

const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
  readonly version: string
}

export const version: string = manifest.version
