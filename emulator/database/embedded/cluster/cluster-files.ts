// Copies and replaces the files that hold a cluster's state. The write-ahead log, transaction states and control file are not
// part of a state. These files only grow, so they also fit the rows of an earlier state. pending-load.ts completes an interrupted
// replacement.
import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { UnsafePathError } from '../../../core/plain-paths.ts'

/** The folders with relations: those of the only database in use, and those that all databases share. */
const FOLDERS = ['base/5', 'global'] as const
const CONTROL_FILE = 'global/pg_control'
/** The file names of temporary tables' relations: `t<backend>_<number>`. */
const TEMPORARY = /\/t\d+_/
/** The path of a file of the state, in one of the two folders and with a name such as `base/5/1249_vm` or `base/5/2619.1`. */
const STATE_FILE = /^(?:base\/5|global)\/\w+(?:\.\w+)*$/

/** The files to replace and to remove, by their paths inside the cluster. */
export interface PendingLoad {
  /** Folder with the new files. */
  readonly from: string
  readonly files: readonly string[]
  readonly remove: readonly string[]
}

/** Whether the file at this path inside the cluster is part of the state. */
export function isStateFile(path: string): boolean {
  return STATE_FILE.test(path) && path !== CONTROL_FILE && !TEMPORARY.test(path)
}

/** Lists the existing files of the state. */
export function stateFiles(cluster: string): readonly string[] {
  return FOLDERS.flatMap((folder) => namesIn(join(cluster, folder)).map((n) => `${folder}/${n}`))
    .filter(isStateFile)
    .toSorted()
}

/**
 * Copies files between clusters and images; returns their size in bytes. The copies share blocks where the file system supports
 * it.
 */
export function copyFiles(from: string, to: string, files: readonly string[]): number {
  for (const folder of FOLDERS) mkdirSync(join(to, folder), { recursive: true })
  let bytes = 0
  for (const path of files) {
    const source = requireFile(join(from, path))
    requireFile(join(to, path))
    copyFileSync(join(from, path), join(to, path), constants.COPYFILE_FICLONE)
    bytes += source?.size ?? 0
  }
  return bytes
}

// Refuses links, because a copy would follow them. The engine never creates a link among these files.
function requireFile(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isFile())
    throw new UnsafePathError(`${path} is no file of a database, but a link or a folder.`)
  return stats
}

/**
 * Copies everything except the state, old logs and template databases. The copied files and a saved state together are a cluster
 * that can be opened.
 * @param logs names of the segments that recovery needs
 */
export function copyRest(cluster: string, to: string, logs: ReadonlySet<string>): void {
  for (const entry of readdirSync(cluster, { recursive: true, withFileTypes: true })) {
    const path = relative(cluster, join(entry.parentPath, entry.name)).replaceAll(sep, '/')
    if (path.startsWith('base/') || isStateFile(path)) continue
    if (entry.isDirectory()) mkdirSync(join(to, path), { recursive: true })
    else if (entry.isFile() && isNeeded(path, logs)) {
      mkdirSync(join(to, dirname(path)), { recursive: true })
      copyFileSync(join(cluster, path), join(to, path))
    }
  }
}

function isNeeded(path: string, logs: ReadonlySet<string>): boolean {
  const isLog = path.startsWith('pg_wal/')
  const isTemporary = path === 'postmaster.pid'
  return isLog ? logs.has(path.slice('pg_wal/'.length)) : !isTemporary
}

/** Replaces and removes the files. Safe to repeat. */
export function applyLoad(
  cluster: string,
  load: PendingLoad,
  remove: (path: string) => void = (path) => rmSync(join(cluster, path), { force: true }),
): void {
  copyFiles(load.from, cluster, load.files)
  for (const path of load.remove) if (existsSync(join(cluster, path))) remove(path)
}

/** Names inside a baseline: `ORIGINALS` is the folder with original files, `CREATED` the list of files that are new since. */
export const ORIGINALS = 'originals'
export const CREATED = 'created'

/** Lists the files to replace and to remove to turn the cluster into the image or baseline in `from`. */
export function loadOf(cluster: string, from: string): PendingLoad {
  const files = stateFiles(from)
  if (files.length === 0) return changesSinceBaseline(from)
  const wanted = new Set(files)
  return { from, files, remove: stateFiles(cluster).filter((path) => !wanted.has(path)) }
}

/** Lists the files to replace and to remove to undo all changes since the baseline in `from`. */
export function changesSinceBaseline(from: string): PendingLoad {
  const originals = join(from, ORIGINALS)
  const log = join(from, CREATED)
  const created = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
  return {
    from: originals,
    files: stateFiles(originals),
    remove: created.filter(isStateFile),
  }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
