// Reads the steps of a folder on disk, for commands of the command line.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EmulatorError } from '../../../core/errors.ts'
import type { StepSource } from './step.ts'

/** A larger step is not read, because its text is in memory more than once. */
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
