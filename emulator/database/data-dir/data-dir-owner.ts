// Refuses data directories of other accounts. A start reads settings and paths from the data directory and runs its database. So
// the directory's owner could act as the user who starts the emulator. Git refuses repositories of other accounts for the same
// reason (git-config(1), safe.directory).
import { lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DataDirError } from './data-dir-lock.ts'

/** Files and folders of a data directory that a start reads. */
const OBEYED = [
  '.',
  'platform.db',
  'postgres',
  'snapshots',
  'baselines',
  'engine.json',
  'restoring.json',
  'postgres-loading.json',
] as const

/** Owner of files that only the administrator of the machine can write. */
const ROOT = 0

/**
 * Does nothing where files have no owners, as on Windows.
 * @param uid the account of this process. `sudo` sets the variable `SUDO_UID` to the account that called it
 * @throws {DataDirError} data_dir_foreign
 */
export function requireOwnDataDir(
  dataDir: string,
  uid: number | undefined = process.getuid?.(),
  sudoUid: string | undefined = process.env['SUDO_UID'],
): void {
  if (uid === undefined) return
  const trusted = new Set([ROOT, uid])
  if (uid === ROOT && sudoUid !== undefined) trusted.add(Number(sudoUid))
  for (const name of OBEYED) {
    const path = join(dataDir, name)
    // For a link, checks the link itself (`lstat`) and its target (`stat`).
    for (const stats of [lstatSync, statSync]) {
      const owner = stats(path, { throwIfNoEntry: false })?.uid
      if (owner !== undefined && !trusted.has(owner)) throw foreign(path, owner, uid)
    }
  }
}

function foreign(path: string, owner: number, uid: number): DataDirError {
  return new DataDirError(
    'data_dir_foreign',
    `${path} belongs to the account ${owner}, and this process runs as ${uid}. Its owner could run code and remove files as this account, because a start runs the database in it.`,
    undefined,
    'If you trust the owner, start with --trust-data-dir or TENANTRY_TRUST_DATA_DIR=1. Otherwise choose another data directory with --data-dir.',
  )
}
