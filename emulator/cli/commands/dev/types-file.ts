// Writes the TypeScript types that a fixture asks for with `types`, inside the application's folder and over no file of the user.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { EmulatorError } from '../../../core/errors.ts'
import { writingTo } from '../../../core/named-files.ts'
import { TYPES_MARK } from '../../../insight/workbench/types/write-types.ts'
import { APPLICATION_FOLDER } from '../../../workflow/fixtures/read/application-folder.ts'

class RefusedTypesFile extends EmulatorError {
  override readonly code = 'types_file_refused'
}

export interface TypesFile {
  /** Absolute path. */
  readonly path: string
  /** The file beside it that is written first, so that readers never see half of the types. */
  readonly draft: string
}

/** @param file path relative to the fixture's folder, with forward slashes */
export function typesFileIn(folder: string, file: string): TypesFile {
  const path = join(folder, ...file.split('/'))
  return { path, draft: join(dirname(path), `.${basename(path)}.draft`) }
}

/**
 * Writes the file when its text differs, and says whether it did.
 * @param folder absolute path of the fixture's folder
 * @throws {RefusedTypesFile} when the path leaves the application's folder, or names a file that Tenantry did not make
 * @throws {UnwritableFile} when the operating system refuses the file
 */
export function writeTypesFile(folder: string, { draft, path }: TypesFile, text: string): boolean {
  return writingTo(path, () => {
    requireInside(folder, path)
    if (existsSync(path)) {
      if (!isOwn(path))
        throw new RefusedTypesFile(
          `${path} was not made by Tenantry, so no types were written into it.`,
          { hint: 'Remove the file, or name another one under types in fixture.yaml.' },
        )
      if (readFileSync(path, 'utf8') === text) return false
    }
    mkdirSync(dirname(path), { recursive: true })
    rmSync(draft, { force: true })
    writeFileSync(draft, text, { flag: 'wx' })
    renameSync(draft, path)
    return true
  })
}

// A folder of another name may lie anywhere, so its surroundings are not taken for an application.
function requireInside(folder: string, path: string): void {
  const application = basename(folder) === APPLICATION_FOLDER ? dirname(folder) : folder
  const real = realpathSync(application)
  if (`${realFolderOf(path)}${sep}`.startsWith(real.endsWith(sep) ? real : `${real}${sep}`)) return
  throw new RefusedTypesFile(
    `${path} lies outside the application’s folder ${application}, so no types were written into it.`,
    { hint: 'Name a file inside this folder under types in fixture.yaml.' },
  )
}

/** Follows symbolic links of the folders above `path` that exist. */
function realFolderOf(path: string): string {
  let folder = dirname(path)
  while (!existsSync(folder)) folder = dirname(folder)
  return realpathSync(folder)
}

function isOwn(path: string): boolean {
  return statSync(path).isFile() && readFileSync(path, 'utf8').startsWith(TYPES_MARK)
}
