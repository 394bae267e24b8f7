// A note in the data directory that lists the files of a cluster to replace. When the process is killed meanwhile, the next
// opening of the cluster completes the replacement. The note lies beside the cluster's folder. The engine can write only inside
// that folder, so SQL cannot change the note.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EmulatorError } from '../../../core/errors.ts'
import { isJsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import { placeInside, storedPlace, UnsafePathError } from '../../../core/plain-paths.ts'
import type { RestoreMark } from '../../engine-states.ts'
import { applyLoad, isStateFile, type PendingLoad } from './cluster-files.ts'

const PENDING = '-loading.json'
const LOADED = '-loaded.json'
/** The notes of earlier releases, inside the cluster. */
const EARLIER_NOTES = ['tenantry-loading.json', 'tenantry-loaded.json']

/** Thrown when this release cannot complete an interrupted restore. */
export class PendingLoadError extends EmulatorError {
  override readonly code = 'restore_interrupted'
}

/** Writes the note. After this call the mark (`restoreMark`) is set. */
export function announceLoad(cluster: string, { files, from, remove }: PendingLoad): void {
  const path = cluster + PENDING
  const note = { from: storedPlace(dirname(cluster), from), files, remove }
  writeFileSync(`${path}.draft`, JSON.stringify(note), { mode: 0o600 })
  renameSync(`${path}.draft`, path)
}

/**
 * Records that all files are in place. The mark stays set until it is cleared, so that the caller can first restore the data
 * outside the cluster.
 */
export function noteLoaded(cluster: string): void {
  renameSync(cluster + PENDING, cluster + LOADED)
}

/**
 * Returns the mark of an interrupted restore. The mark is set when files were replaced, or will be replaced at the next opening.
 * @throws {PendingLoadError} when an earlier release was killed during a restore
 */
export function restoreMark(cluster: string): RestoreMark {
  if (EARLIER_NOTES.some((name) => existsSync(join(cluster, name))))
    throw new PendingLoadError(
      `An earlier release was stopped while it restored a state of ${dirname(cluster)}.`,
      {
        hint: 'Start and stop that release once with this data directory. It completes the restore.',
      },
    )
  return {
    isSet: () => existsSync(cluster + PENDING) || existsSync(cluster + LOADED),
    clear: () => rmSync(cluster + LOADED, { force: true }),
  }
}

/**
 * Completes a replacement that a killed process left unfinished. Returns false when no replacement was unfinished.
 * @throws {UnsafePathError | PendingLoadError} when the note names a file that is not part of a state
 */
export function finishLoad(cluster: string): boolean {
  const path = cluster + PENDING
  if (!existsSync(path)) return false
  applyLoad(cluster, decodeLoad(dirname(cluster), parseJson(readFileSync(path, 'utf8'))))
  noteLoaded(cluster)
  return true
}

function decodeLoad(dataDir: string, value: JsonValue | undefined): PendingLoad {
  const { files, from, remove } = isJsonObject(value) ? value : {}
  if (typeof from !== 'string') throw damaged(dataDir)
  return {
    from: placeInside(dataDir, from),
    files: stateFilesOf(dataDir, files),
    remove: stateFilesOf(dataDir, remove),
  }
}

function stateFilesOf(dataDir: string, value: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(value)) throw damaged(dataDir)
  return value.map((path: JsonValue) => {
    if (typeof path === 'string' && isStateFile(path)) return path
    throw new UnsafePathError(
      `The file that describes an interrupted restore in ${dataDir} names ${JSON.stringify(path)}, which is not a file of the database.`,
    )
  })
}

function damaged(dataDir: string): PendingLoadError {
  return new PendingLoadError(
    `The file that describes an interrupted restore in ${dataDir} is damaged.`,
    {
      hint: 'Restore a copy of the data directory, or start with a new one.',
    },
  )
}
