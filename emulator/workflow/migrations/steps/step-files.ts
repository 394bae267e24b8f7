// Reads the folder of steps and creates files in it. The command line uses this file, and so do fixes that are saved as steps.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { EmulatorError } from '../../../core/errors.ts'
import { makeFolder } from '../../../core/make-folder.ts'
import { systemErrorCode } from '../../../core/system-error.ts'
import { type EpochMillis, toIso } from '../../../core/time.ts'
import { type Step, type StepSource, toSteps } from './step.ts'

export const DEFAULT_STEPS = 'tenantry/migrations'

/** Reads the steps of a folder. @throws {StepFolderError} when the folder does not exist or a file is not a step */
export function readSources(folder: string): readonly StepSource[] {
  if (!existsSync(folder))
    throw new StepFolderError(`There is no folder ${folder}.`, {
      hint: 'Create a step with "tenantry migrate new <name>", or name the folder with --dir.',
    })
  const sources = readStepFolder(folder)
  const { problems } = toSteps(sources)
  if (problems.length > 0)
    throw new StepFolderError(problems.map(({ message }) => message).join(' '))
  return sources
}

export function readSteps(folder: string): readonly Step[] {
  return toSteps(readSources(folder)).steps
}

/**
 * Creates a step after all other steps. Returns its path.
 * @param text the step's SQL; without it, a comment with the name
 * @throws {StepFolderError}
 */
export function createStep(
  folder: string,
  name: string,
  now: EpochMillis,
  text: string = `-- ${name.trim().replaceAll('\n', ' ')}\n`,
): string {
  let path = nextStepPath(folder, name, now)
  makeFolder(folder)
  // Another program may create a step with the same version at the same moment.
  while (!writeNewStep(path, text)) path = nextStepPath(folder, name, now)
  return path
}

/** Writes the file of a step, unless another file has the same version. Returns whether the file was written. */
export function writeNewStep(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false
    throw error
  }
  // Checks after the write, so that at least one of two programs finds the file of the other.
  if (!hasTwin(path)) return true
  rmSync(path)
  return false
}

function hasTwin(path: string): boolean {
  const own = basename(path)
  const start = own.slice(0, own.indexOf('_') + 1)
  return readdirSync(dirname(path)).some(
    (name) => name !== own && name.startsWith(start) && name.endsWith('.sql'),
  )
}

/** Returns the path that a step created now would have. @throws {StepFolderError} */
export function nextStepPath(folder: string, name: string, now: EpochMillis): string {
  const plain = name
    .trim()
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
  if (plain === '')
    throw new StepFolderError(`${JSON.stringify(name)} is not a name for a step.`, {
      hint: 'Use letters, digits, "_" and "-", e.g. add_reviews.',
    })
  const newest = existsSync(folder) ? (readSteps(folder).at(-1)?.version ?? '') : ''
  return join(folder, `${versionAfter(newest, now)}_${plain}.sql`)
}

/** Returns the version for this time. When `newest` is the same or later, returns the version after `newest`. */
export function versionAfter(newest: string, now: EpochMillis): string {
  const version = stepVersion(now)
  return version > newest ? version : (BigInt(newest) + 1n).toString()
}

/** Returns the time in UTC as 14 digits, the version of a migration step. */
export function stepVersion(at: EpochMillis): string {
  return toIso(at).replaceAll(/\D/g, '').slice(0, 14)
}

// Reads the steps of a folder on disk, for commands of the command line.

/** Maximum size of a step's file. A larger file is refused, because its text would be in memory more than once. */
const MAX_STEP_BYTES = 256 << 20

export class StepFolderError extends EmulatorError {
  override readonly code = 'step_folder'
}

/**
 * Reads the `.sql` files of the folder itself.
 * @throws {StepFolderError} for a file that is too large
 * @throws the error of the file system, e.g. ENOENT
 */
export function readStepFolder(folder: string): readonly StepSource[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sql'))
    .map(({ name }) => ({ file: name, sql: readStep(join(folder, name)) }))
}

function readStep(path: string): string {
  const { size } = statSync(path)
  if (size > MAX_STEP_BYTES)
    throw new StepFolderError(
      `${path} is too large: it has ${size} bytes, and the limit is ${MAX_STEP_BYTES >> 20} MB.`,
      { hint: 'Split the step, or load its rows in another way.' },
    )
  return readFileSync(path, 'utf8')
}
