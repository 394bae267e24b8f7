// Creates files and folders that only their owner may read, for keys, tokens and tenants' data. Removes wider permissions of
// existing files. Windows has no such permissions, so on Windows these functions only create what is missing.
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { makeFolder } from './make-folder.ts'

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

/** Creates the file if it is missing, and removes other users' permissions. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', FILE_MODE))
  restrict(path, FILE_MODE)
}

/** Removes other users' permissions, if the file exists. */
export function keepPrivate(path: string): void {
  if (existsSync(path)) restrict(path, FILE_MODE)
}

/** Creates the folder if it is missing, and removes other users' permissions. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, FOLDER_MODE)
  restrict(path, FOLDER_MODE)
}

// Leaves the mode unchanged when another user owns the file, because only the owner can change it.
function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error
  }
}
