// Copies and replaces the files that hold a cluster's state. A marker file lists the files to replace, so that the next opening
// of the cluster completes an interrupted replacement. The write-ahead log, transaction states and control file are not part of
// a state. These files only grow, and rows of an earlier state stay valid beside later rows.
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { isJsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import type { RestoreMark } from '../../engine-states.ts'

/** The folders with relations: of the one database in use, and of all databases together. */
const FOLDERS = ['base/5', 'global'] as const
const CONTROL_FILE = 'global/pg_control'
/** The file names of temporary tables' relations: `t<backend>_<number>`. */
const TEMPORARY = /\/t\d+_/
const MARKER = 'tenantry-loading.json'
const NOTES = 'tenantry-load'
const LOADED = 'tenantry-loaded.json'

/** The files to replace and to remove, by their paths inside the cluster. */
export interface PendingLoad {
  /** Folder with the new files. */
  readonly from: string
  readonly files: readonly string[]
  readonly remove: readonly string[]
}

/** Whether the file at this path inside the cluster is part of the state. */
export function isStateFile(path: string): boolean {
  return (
    FOLDERS.some((folder) => path.startsWith(`${folder}/`)) &&
    path !== CONTROL_FILE &&
    !TEMPORARY.test(path)
  )
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
    copyFileSync(join(from, path), join(to, path), constants.COPYFILE_FICLONE)
    bytes += statSync(join(to, path)).size
  }
  return bytes
}

/**
 * Copies everything except the state, old logs and template databases. Together with these files, a saved state is a cluster
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
  const isTemporary = path === 'postmaster.pid' || path.startsWith(NOTES)
  return isLog ? logs.has(path.slice('pg_wal/'.length)) : !isTemporary
}

/** Writes the marker file. After this call the mark (`restoreMark`) is set. */
export function announceLoad(cluster: string, load: PendingLoad): void {
  const draft = join(cluster, `${MARKER}.draft`)
  writeFileSync(draft, JSON.stringify(load))
  renameSync(draft, join(cluster, MARKER))
}

/** Replaces and removes the files that the marker file lists. Safe to repeat. */
export function applyLoad(
  cluster: string,
  load: PendingLoad,
  remove: (path: string) => void = (path) => rmSync(join(cluster, path), { force: true }),
): void {
  copyFiles(load.from, cluster, load.files)
  for (const path of load.remove) if (existsSync(join(cluster, path))) remove(path)
}

/**
 * Records that all files are in place. The mark stays set until it is cleared, so that the caller can first restore the data
 * outside the cluster.
 */
export function noteLoaded(cluster: string): void {
  renameSync(join(cluster, MARKER), join(cluster, LOADED))
}

/** The mark is set when files were replaced, or will be at the next opening. */
export function restoreMark(cluster: string): RestoreMark {
  return {
    isSet: () => existsSync(join(cluster, MARKER)) || existsSync(join(cluster, LOADED)),
    clear: () => rmSync(join(cluster, LOADED), { force: true }),
  }
}

/** Completes a replacement that a killed process left unfinished. Returns false when no replacement was unfinished. */
export function finishLoad(cluster: string): boolean {
  const path = join(cluster, MARKER)
  if (!existsSync(path)) return false
  applyLoad(cluster, decodeLoad(parseJson(readFileSync(path, 'utf8'))))
  noteLoaded(cluster)
  return true
}

/** Names inside a baseline: `ORIGINALS` is the folder with original files, `CREATED` the list of files created since. */
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
    remove: created.filter((path) => path !== ''),
  }
}

function decodeLoad(value: JsonValue | undefined): PendingLoad {
  if (!isJsonObject(value)) throw new TypeError('the note of a pending restore is damaged')
  const texts = (list: JsonValue | undefined): string[] =>
    Array.isArray(list) ? list.map(String) : []
  return {
    from: String(value['from']),
    files: texts(value['files']),
    remove: texts(value['remove']),
  }
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
