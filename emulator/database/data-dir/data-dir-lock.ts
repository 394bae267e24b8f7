// Allows only one process per data directory, because two engines on one directory would corrupt its data. The lock is a file
// that identifies its process. A lock file is valid until its process has ended, whatever its age.
import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { EmulatorError } from '../../core/errors.ts'
import { isJsonObject, parseJson } from '../../core/json.ts'
import { makeFolder } from '../../core/make-folder.ts'

const LOCK_NAME = 'tenantry.lock'

export type DataDirErrorCode = 'data_dir_in_use' | 'data_dir_unusable' | 'data_dir_foreign'

/** The data directory cannot be used. The message is shown in the terminal. */
export class DataDirError extends EmulatorError {
  override readonly code: DataDirErrorCode

  constructor(code: DataDirErrorCode, message: string, cause?: unknown, hint?: string) {
    super(message, hint === undefined ? { cause } : { cause, hint })
    this.code = code
  }
}

/** A process is identified by its id and start time, because the system reuses process ids. */
export interface Holder {
  readonly pid: number
  /** Start time of the process in kernel ticks. */
  readonly startedAt?: string | undefined
}

/**
 * Takes the lock of a data directory. Returns a function that releases it.
 * @throws {DataDirError} data_dir_in_use with the live process, data_dir_unusable when the directory cannot be written
 */
export function lockDataDir(dataDir: string): () => void {
  const path = join(dataDir, LOCK_NAME)
  makeDataDir(dataDir)
  const text = JSON.stringify(thisProcess())
  for (let attempt = 0; attempt < 2; attempt++) {
    if (create(path, text)) {
      hideFromGit(dataDir)
      return () => release(path, text)
    }
    const holder = readHolder(path)
    if (holder !== undefined && isAlive(holder)) throw inUse(dataDir, holder)
    rmSync(path, { force: true })
  }
  throw new DataDirError(
    'data_dir_in_use',
    `${dataDir} is being opened by another process at this moment; try again.`,
  )
}

// The directory contains keys and usually lies in a repository. A `.gitignore` inside the directory needs no change to the user's
// own files.
function hideFromGit(dataDir: string): void {
  try {
    writeFileSync(join(dataDir, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 })
  } catch {
    // The file exists already, or the disk is full. The emulator works without the file.
  }
}

/** Returns this process's id and start time, which another process can pass to `isAlive`. */
export function thisProcess(): Holder {
  return { pid: process.pid, startedAt: startTimeOf(process.pid) }
}

/**
 * Whether the described process still runs. A later process with the same id does not count.
 * @param startTime returns a process's start time, or `undefined` where the system has no /proc (docs/platform-calls.md)
 */
export function isAlive(
  { pid, startedAt }: Holder,
  startTime: (pid: number) => string | undefined = startTimeOf,
): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!isErrno(error, 'EPERM')) return false
  }
  if (isZombie(pid)) return false
  const present = startTime(pid)
  return startedAt === undefined || present === undefined || startedAt === present
}

/**
 * Returns the live process that holds the lock of a data directory. Ignores locks that ended processes left.
 * @throws {DataDirError} data_dir_unusable when the lock file cannot be read
 */
export function findHolder(dataDir: string): Holder | undefined {
  const holder = readHolder(join(dataDir, LOCK_NAME))
  return holder !== undefined && isAlive(holder) ? holder : undefined
}

/** Creates the folder of a data directory. @throws {DataDirError} `data_dir_unusable` */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir, 0o700)
  } catch (error) {
    throw unusable(dataDir, error)
  }
}

function create(path: string, text: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600)
    writeSync(file, text)
    closeSync(file)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw unusable(path, error)
  }
}

function release(path: string, text: string): void {
  try {
    if (readFileSync(path, 'utf8') === text) rmSync(path, { force: true })
  } catch {
    // Another process has removed the lock file already.
  }
}

/**
 * Returns `undefined` when the lock file does not exist, or when its process ended before writing the content.
 * @throws {DataDirError} when the lock file cannot be read, because its process may be alive
 */
function readHolder(path: string): Holder | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw unusable(path, error)
  }
  const value = parseJson(text)
  if (!isJsonObject(value) || typeof value['pid'] !== 'number') return undefined
  const startedAt = value['startedAt']
  return { pid: value['pid'], startedAt: typeof startedAt === 'string' ? startedAt : undefined }
}

/** Positions of fields in /proc/<pid>/stat. Position 0 is the first field after the command. */
const STATE = 0
const THREADS = 17
const START_TIME = 19

function startTimeOf(pid: number): string | undefined {
  return statOf(pid)?.[START_TIME]
}

// Ended processes remain as zombies in a container whose first process does not collect them. A zombie without other threads has
// no open files, so it does not use the directory.
function isZombie(pid: number): boolean {
  const stat = statOf(pid)
  return stat?.[STATE] === 'Z' && Number(stat[THREADS]) <= 1
}

// Counts from the command's end, because names may contain spaces (proc(5)).
function statOf(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

function inUse(dataDir: string, { pid }: Holder): DataDirError {
  const owner = pid === process.pid ? 'this process' : `process ${pid}`
  return new DataDirError(
    'data_dir_in_use',
    `${dataDir} is in use by ${owner}; stop it or choose another data directory.`,
  )
}

function unusable(path: string, cause: unknown): DataDirError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new DataDirError('data_dir_unusable', `${path} cannot be written: ${reason}.`, cause)
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
