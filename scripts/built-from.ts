// Records from which sources `dist/` was built, so that the same sources are not built twice.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageFile } from '../emulator/core/package-files.ts'

/** The file that `npm run build` writes last. */
export const BUILT_FROM: string = packageFile('.cache', 'built-from')

const SOURCES = [
  ...['client', 'emulator', 'fixtures', 'main', 'renderer', 'scripts'],
  ...['package-lock.json', 'package.json', 'vite.config.ts'],
]

/** A hash of the sources and of the Node.js that builds them, in hexadecimal. Takes about 0.1 s. */
export function sourcesHash(): string {
  const hash = createHash('sha256').update(`${process.version} ${process.arch}`)
  for (const path of SOURCES.flatMap(filesBelow))
    hash.update(`\0${path}\0`).update(readFileSync(packageFile(path)))
  return hash.digest('hex')
}

/**
 * Removes the record of the previous build. Returns a function that records the finished build with the sources at its beginning.
 */
export function beginBuild(): () => void {
  const hash = sourcesHash()
  rmSync(BUILT_FROM, { force: true })
  return () => {
    mkdirSync(dirname(BUILT_FROM), { recursive: true })
    writeFileSync(BUILT_FROM, hash)
  }
}

function filesBelow(path: string): readonly string[] {
  if (statSync(packageFile(path)).isFile()) return [path]
  return readdirSync(packageFile(path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
    .map((file) => file.slice(packageFile().length + 1))
    .toSorted()
}
