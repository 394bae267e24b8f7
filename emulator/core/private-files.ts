// Files and folders that only their owner may read: keys, tokens, tenants' data. The data directory may exist already, with
// wider rights. Windows has no such modes; there the calls only make what is missing.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

/** Makes the file if it is missing, and takes the rights of other users away. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', FILE_MODE))
  restrict(path, FILE_MODE)
}

/** Takes the rights of other users away, if the file exists. */
export function keepPrivate(path: string): void {
  if (existsSync(path)) restrict(path, FILE_MODE)
}

/** Makes the folder if it is missing, and takes the rights of other users away. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: FOLDER_MODE })
  restrict(path, FOLDER_MODE)
}

// Only the owner may change a mode; another user who may write there goes on with the mode that is set.
function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error
  }
}
