// The emulator of a bundle, whose data directory is made from the bundle's state in a temporary folder (open-bundle.ts).

import { basename, join } from 'node:path'
import type { OpenedBundle } from '../../contract/bundles.ts'
import { asSentence } from '../../core/errors.ts'
import type { Observer } from '../../core/observation.ts'
import { version } from '../../core/version.ts'
import { openTemporaryDir } from '../../database/data-dir/temporary-dir.ts'
import { BundleError } from '../../workflow/bundles/bundle-error.ts'
import { loadPlatform } from '../../workflow/bundles/load-state.ts'
import { type Manifest, openedBundleOf, platformTimeOf } from '../../workflow/bundles/manifest.ts'
import {
  UNPACKED_DATA,
  UNPACKED_STATE,
  type UnpackedBundle,
  unpackBundle,
} from '../../workflow/bundles/unpack-bundle.ts'
import { ConfigError, type EmulatorConfig } from '../config.ts'
import { openPlatformDb } from '../records.ts'
import { type BareEmulator, openEmulator } from './emulator.ts'

/** An emulator with the state and the requests of a bundle. `close` removes its data. */
export interface BareBundleEmulator extends BareEmulator {
  readonly bundle: OpenedBundle
}

/** Settings of the caller. All others come from the bundle. */
export type BundleConfig = Pick<EmulatorConfig, 'publicUrl' | 'adminToken' | 'allowOrigins'>

/** As `openBundle`, without the test helpers. @throws {EmulatorError} */
export async function openBundleEmulator(
  path: string,
  config: BundleConfig,
  observers: readonly Observer[],
): Promise<BareBundleEmulator> {
  const file = basename(path)
  const passing = openTemporaryDir()
  try {
    const folder = join(passing.path, 'bundle')
    const unpacked = await unpackBundle(path, folder)
    const emulator = await openUnpacked(file, folder, unpacked, config, observers)
    const close = async (): Promise<void> => {
      await emulator.close()
      passing.remove()
    }
    const bundle = openedBundleOf(file, unpacked.manifest)
    return { ...emulator, bundle, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    passing.remove()
    throw error
  }
}

async function openUnpacked(
  file: string,
  folder: string,
  { manifest, requests }: UnpackedBundle,
  config: BundleConfig,
  observers: readonly Observer[],
): Promise<BareEmulator> {
  try {
    const dataDir = join(folder, UNPACKED_DATA)
    const state = { file, folder: join(folder, UNPACKED_STATE) }
    const projects = manifest.state === null ? [] : loadPlatform(state, dataDir, openPlatformDb)
    const platformTime = platformTimeOf(manifest)
    return await openEmulator({ ...settingsOf(manifest), ...config, dataDir }, observers, {
      bundle: { file, manifest, requests, platformTime, projects },
    })
  } catch (error) {
    if (error instanceof BundleError || error instanceof ConfigError) throw error
    throw unopened(file, manifest, error)
  }
}

function settingsOf({ ids, row_changes, settings, state }: Manifest): EmulatorConfig {
  return {
    engine: 'embedded',
    deterministicSeed: ids?.seed,
    developer: state === null ? undefined : { email: state.developer_email },
    clone: settings.clone,
    statementTimeoutMillis: settings.statement_timeout_ms,
    maxBodyBytes: settings.max_body_bytes,
    maxResultBytes: settings.max_result_bytes,
    // The developer who opened the bundle wants to see what a replay sends and receives.
    journalBodies: 'always',
    history: row_changes !== null,
  }
}

function unopened(file: string, { versions }: Manifest, cause: unknown): BundleError {
  const reason = asSentence(cause instanceof Error ? cause.message : String(cause))
  return new BundleError('damaged_bundle', `The state in ${file} cannot be opened: ${reason}`, {
    hint:
      versions.tenantry === version
        ? 'Let the sender make a new bundle.'
        : `Tenantry ${versions.tenantry} made it, and this is ${version}. Open it with that release.`,
    cause,
  })
}
