// Finds the emulator that runs for a folder, as the commands do. The plugins and fixtures of this folder use it.
import { join } from 'node:path'
import { SystemClock } from '../../core/clock.ts'
import { boundsOf } from '../../platform/http-client/answer-bounds.ts'
import { createHttpClient } from '../../platform/http-client/http-client.ts'
import { type RunningEmulator, reachEmulator } from '../../platform/http-client/running-emulator.ts'
import { DEFAULT_DATA_DIR, findRunning } from '../run-file.ts'

/** Where an emulator is looked for. */
export interface EmulatorPlace {
  /** Address of the emulator. */
  readonly url?: string | undefined
  /** The application's folder. Its data directory names the running emulator. */
  readonly folder: string
}

/** Returns the origin of `url`, of TENANTRY_AUTH_URL, or of the emulator that runs in the folder; `undefined` without any. */
export function findEmulator({ folder, url }: EmulatorPlace): string | undefined {
  const found =
    url ?? process.env['TENANTRY_AUTH_URL'] ?? findRunning(join(folder, DEFAULT_DATA_DIR))?.url
  return found !== undefined && URL.canParse(found) ? new URL(found).origin : found
}

/** Reaches the API of the emulator at an address. */
export function emulatorAt(url: string, adminToken: string | undefined): RunningEmulator {
  const http = createHttpClient({ wallClock: new SystemClock(), bounds: boundsOf(process.env) })
  return reachEmulator(url, adminToken, http)
}
