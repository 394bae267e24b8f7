// Writes the application folders of `tenantry init` and `pull`: all files or none, and never into a folder that has files.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { EmulatorError } from '../../../core/errors.ts'
import { makeFolder } from '../../../core/make-folder.ts'
import { FIXTURE_FILE } from '../../../workflow/fixtures/read/open-fixture.ts'

/** The file's path below the folder, with forward slashes, and the file's content. */
export type ApplicationFile = readonly [name: string, content: string | Uint8Array]

class FolderError extends EmulatorError {
  override readonly code = 'folder_taken'
}

/** Whether the folder has a fixture with migration steps. */
export function isApplication(folder: string): boolean {
  return existsSync(join(folder, FIXTURE_FILE)) && existsSync(join(folder, 'migrations'))
}

/** @throws {FolderError} when the folder has files */
export function refuseTakenFolder(folder: string, hint: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new FolderError(`${folder} already has files, and this command overwrites none.`, {
      hint,
    })
}

/** Writes all files into a folder beside `folder` and then renames this folder, so that a failure leaves no incomplete folder. */
export function writeApplication(
  folder: string,
  files: readonly ApplicationFile[],
  hint: string,
): void {
  const target = resolve(folder)
  makeFolder(dirname(target))
  const staging = mkdtempSync(join(dirname(target), `.${basename(target)}-`))
  try {
    for (const [name, content] of files) {
      const path = join(staging, ...name.split('/'))
      makeFolder(dirname(path))
      writeFileSync(path, content)
    }
    refuseTakenFolder(folder, hint)
    if (existsSync(target)) rmdirSync(target)
    renameSync(staging, target)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/** Path of the fixtures' JSON Schema in a project that has this package installed. */
const SCHEMA = join('node_modules', 'tenantry', 'fixtures', 'fixture.schema.json')

/** Returns the line from which editors learn the keys of `fixture.yaml`. */
export function schemaLine(folder: string): string {
  const target = resolve(folder)
  const path = relative(target, join(dirname(target), SCHEMA))
    .split(sep)
    .join('/')
  return `# yaml-language-server: $schema=${path}`
}
