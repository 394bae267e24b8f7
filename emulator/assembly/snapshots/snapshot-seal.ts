// Marks the snapshots of a data directory as its own. Restoring a snapshot runs its database, so that a folder from elsewhere
// could carry anything into it. A seal is a code over the snapshot's record, made with a secret of the data directory (HMAC with
// SHA-256, RFC 2104).
import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SystemIdSource } from '../../core/id-source.ts'

const KEY_FILE = 'snapshot-key'
const SEAL = 'snapshot.seal'
const KEY_BYTES = 32

export interface SnapshotSeals {
  /** Marks the folder with this record as a snapshot of the data directory. */
  seal(folder: string, record: string): void
  isSealed(folder: string, record: string): boolean
}

/**
 * Reads or creates the secret.
 * @param dataDir exists
 * @param earlier lists the snapshots, with the texts of their records, that a release without seals made. Called once, when the
 * directory has no secret yet
 */
export function openSnapshotSeals(
  dataDir: string,
  earlier: () => readonly { readonly folder: string; readonly record: string }[],
): SnapshotSeals {
  const path = join(dataDir, KEY_FILE)
  const kept = readKey(path)
  const key = kept ?? new SystemIdSource().bytes(KEY_BYTES)
  const codeOf = (record: string): Buffer => createHmac('sha256', key).update(record).digest()
  const seals: SnapshotSeals = {
    seal: (folder, record) => {
      writeFileSync(join(folder, SEAL), codeOf(record).toString('hex'), { mode: 0o600 })
    },
    isSealed: (folder, record) => {
      const file = join(folder, SEAL)
      if (!isRealFolder(folder) || !existsSync(file)) return false
      const given = Buffer.from(readFileSync(file, 'utf8'), 'hex')
      const own = codeOf(record)
      return given.length === own.length && timingSafeEqual(given, own)
    },
  }
  if (kept !== undefined) return seals
  // The secret is written last, so that a killed process marks them again.
  for (const { folder, record } of earlier()) seals.seal(folder, record)
  writeFileSync(`${path}.draft`, Buffer.from(key).toString('hex'), { mode: 0o600 })
  renameSync(`${path}.draft`, path)
  return seals
}

function readKey(path: string): Uint8Array | undefined {
  if (!existsSync(path)) return undefined
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')
  return key.length === KEY_BYTES ? key : undefined
}

// A link would let a snapshot of the data directory change when another program changes the folder that it leads to.
function isRealFolder(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
}
