// Finds out whether a data directory can be opened, without opening or changing it. `tenantry doctor` calls it.
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { EmulatorError } from '../../core/errors.ts'
import { requireOwnDataDir } from '../../database/data-dir/data-dir-owner.ts'
import {
  CLUSTER_MARKER,
  ensureClusterImage,
  readClusterImage,
} from '../../database/embedded/cluster/cluster-image.ts'
import { requireKnownPlatformDb } from '../records.ts'
import { chooseEngine, type KeptEngine, keptEngine, type WantedEngine } from './engine-choice.ts'

type DataDirFaultCode = 'not_writable' | 'other_postgres'

/** A data directory that a start would refuse. */
class DataDirFault extends EmulatorError {
  override readonly code: DataDirFaultCode

  constructor(code: DataDirFaultCode, message: string, hint: string) {
    super(message, { hint })
    this.code = code
  }
}

/**
 * Checks owner, permissions, engine and versions. The result is `undefined` for a directory that does not exist.
 * @throws {EmulatorError} for the first fault
 */
export async function examineDataDir(
  dataDir: string,
  wanted: WantedEngine,
): Promise<KeptEngine | undefined> {
  const folder = resolve(dataDir)
  requireWritable(folder)
  if (!existsSync(folder)) return undefined
  requireOwnDataDir(folder)
  const kept = keptEngine(folder)
  chooseEngine(wanted, kept, dataDir)
  requireKnownPlatformDb(folder)
  if (kept?.engine === 'embedded') await requireSamePostgres(folder)
  return kept
}

/** Returns why this account cannot write a folder, or the nearest existing folder above it. Returns `undefined` when it can. */
export function refusalOfWrites(folder: string): string | undefined {
  const nearest = nearestExisting(resolve(folder))
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const isReadOnly = error instanceof Error && 'code' in error && error.code === 'EROFS'
    return isReadOnly
      ? `the disk of ${nearest} can only be read`
      : `your account may not write ${nearest}`
  }
}

/** Returns the folder itself, or the nearest folder above it that exists. @param path absolute */
export function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path))
}

function requireWritable(folder: string): void {
  const refusal = refusalOfWrites(folder)
  if (refusal === undefined) return
  throw new DataDirFault(
    'not_writable',
    `${folder} cannot be used: ${refusal}.`,
    'Change its permissions, or choose another folder with --data-dir.',
  )
}

async function requireSamePostgres(folder: string): Promise<void> {
  const marker = join(folder, 'postgres', CLUSTER_MARKER)
  if (!existsSync(marker)) return
  const found = readFileSync(marker, 'utf8').trim()
  const image = readClusterImage(await ensureClusterImage())
  const own = image.files
    .find(({ path }) => path === CLUSTER_MARKER)
    ?.bytes.toString('utf8')
    .trim()
  if (own === undefined || own === found) return
  throw new DataDirFault(
    'other_postgres',
    `The data of ${folder} was written by PostgreSQL ${found}, and the engine of this release is PostgreSQL ${own}.`,
    'Write a fixture with "tenantry fixture export" of the release that made it, or choose another folder with --data-dir.',
  )
}
