// Which files of a cluster are its state, how they are copied, and how a change of many of them is made in one: what is to
// come is written down first, and whoever opens the cluster finishes it. The write-ahead log, transaction states and the
// control file are not among them: they only ever go forward, and rows of an earlier state stay valid beside later ones.
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

/** Relations of the one database that is used, and those that all databases share. */
const FOLDERS = ['base/5', 'global'] as const
const CONTROL_FILE = 'global/pg_control'
/** Relations of temporary tables: `t<backend>_<number>`. */
const TEMPORARY = /\/t\d+_/
const MARKER = 'tenantry-loading.json'
const NOTES = 'tenantry-load'
const LOADED = 'tenantry-loaded.json'

/** Files to be replaced and to be removed, by their path inside the cluster. */
export interface PendingLoad {
  /** Folder with the files. */
  readonly from: string
  readonly files: readonly string[]
  readonly remove: readonly string[]
}

/** Whether a file, by its path inside the cluster, is part of the state. */
export function isStateFile(path: string): boolean {
  return (
    FOLDERS.some((folder) => path.startsWith(`${folder}/`)) &&
    path !== CONTROL_FILE &&
    !TEMPORARY.test(path)
  )
}

/** The files that are there. */
export function stateFiles(cluster: string): readonly string[] {
  return FOLDERS.flatMap((folder) => namesIn(join(cluster, folder)).map((n) => `${folder}/${n}`))
    .filter(isStateFile)
    .toSorted()
}

/** Copies files between clusters and images of them; gives their bytes. Blocks are shared where the file system can. */
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
 * Copies what makes an image a cluster of its own, which can be opened elsewhere: everything else but old logs and the
 * databases that new ones are made from.
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
  const isPassing = path === 'postmaster.pid' || path.startsWith(NOTES)
  return isLog ? logs.has(path.slice('pg_wal/'.length)) : !isPassing
}

/** Writes down what is to come. From then on the cluster counts as changed. */
export function announceLoad(cluster: string, load: PendingLoad): void {
  const draft = join(cluster, `${MARKER}.draft`)
  writeFileSync(draft, JSON.stringify(load))
  renameSync(draft, join(cluster, MARKER))
}

/** Puts the files where they belong. `remove` is told of files that go. Safe to repeat. */
export function applyLoad(
  cluster: string,
  load: PendingLoad,
  remove: (path: string) => void = (path) => rmSync(join(cluster, path), { force: true }),
): void {
  copyFiles(load.from, cluster, load.files)
  for (const path of load.remove) if (existsSync(join(cluster, path))) remove(path)
}

/** All files are where they belong; whoever changes other things along with them may still be at it. */
export function noteLoaded(cluster: string): void {
  renameSync(join(cluster, MARKER), join(cluster, LOADED))
}

/** Whether the cluster was changed, or will have been once it is open, and `forgetLoaded` was not called since. */
export function isLoaded(cluster: string): boolean {
  return existsSync(join(cluster, MARKER)) || existsSync(join(cluster, LOADED))
}

export function forgetLoaded(cluster: string): void {
  rmSync(join(cluster, LOADED), { force: true })
}

/** Finishes what a killed process or engine left half-way; gives whether there was anything. */
export function finishLoad(cluster: string): boolean {
  const path = join(cluster, MARKER)
  if (!existsSync(path)) return false
  applyLoad(cluster, decodeLoad(parseJson(readFileSync(path, 'utf8'))))
  noteLoaded(cluster)
  return true
}

/** Beside the originals of files that changed since a baseline: the list of those that were created. */
export const ORIGINALS = 'originals'
export const CREATED = 'created'

/** What turns the cluster into the image in `from`, or leads back to the baseline that is kept there. */
export function loadOf(cluster: string, from: string): PendingLoad {
  const files = stateFiles(from)
  if (files.length === 0) return wayBackIn(from)
  const wanted = new Set(files)
  return { from, files, remove: stateFiles(cluster).filter((path) => !wanted.has(path)) }
}

/** All that ever changed since the baseline kept in `from`. */
export function wayBackIn(from: string): PendingLoad {
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
