// Creates folders on paths that users name.
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { systemErrorCode } from './system-error.ts'

/**
 * Creates the folder and its missing parents. `mkdirSync` with `recursive` does not return for a path such as /proc/x, where the
 * parent exists and the system still answers ENOENT.
 * @param mode of each new folder @throws the error of the operating system
 */
export function makeFolder(path: string, mode?: number): void {
  const target = resolve(path)
  if (isFolder(target)) return
  if (dirname(target) !== target) makeFolder(dirname(target), mode)
  try {
    mkdirSync(target, mode)
  } catch (error) {
    // Another process may have created the folder meanwhile.
    if (systemErrorCode(error) !== 'EEXIST' || !isFolder(target)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
