// A temporary directory for the database of `--memory`, removed when the process ends. The directory survives a restart of the
// engine; a database in the engine's memory would not.
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './data-dir-lock.ts'

export interface TemporaryDir {
  readonly path: string
  remove(): void
}

const PREFIX = 'tenantry-memory-'
/**
 * Minimum free space of a usable memory file system. The memory file system of most containers has 64 MB, which a database soon
 * fills.
 */
const ENOUGH_BYTES = 1 << 30
const MEMORY_FILES = '/dev/shm'

/**
 * Creates the directory, and removes directories that killed processes left behind.
 * @param memoryFiles a file system in memory; where it is missing (docs/platform-calls.md) or small, the system's
 * temporary folder is used
 */
export function openTemporaryDir(memoryFiles: string = MEMORY_FILES): TemporaryDir {
  const parent = isRoomy(memoryFiles) ? memoryFiles : tmpdir()
  sweep(parent)
  const path = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`))
  const remove = (): void => {
    process.off('exit', remove)
    rmSync(path, { recursive: true, force: true })
  }
  process.on('exit', remove)
  return { path, remove }
}

function isRoomy(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ENOUGH_BYTES
  } catch {
    return false
  }
}

function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(PREFIX)
      ? Number.parseInt(name.slice(PREFIX.length), 10)
      : Number.NaN
    if (Number.isInteger(pid) && pid !== process.pid && !isAlive({ pid, startedAt: undefined }))
      rmSync(join(parent, name), { recursive: true, force: true })
  }
}
