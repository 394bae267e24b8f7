// Reads the steps of a folder on disk, for commands of the command line.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StepSource } from './step.ts'

/** Reads the `.sql` files of the folder itself. @throws the error of the file system, e.g. ENOENT */
export function readStepFolder(folder: string): readonly StepSource[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sql'))
    .map(({ name }) => ({ file: name, sql: readFileSync(join(folder, name), 'utf8') }))
}
