// Opens a bundle (docs/guide/bundles.md). The code is loaded at the first call, because few programs open one.

import type { OpenedBundle } from '../../contract/bundles.ts'
import { createTestHelpers } from '../testing/helpers.ts'
import type { BundleConfig } from './bundle-emulator.ts'
import type { Emulator } from './create-emulator.ts'
import type { EventObserver } from './public-types.ts'

/** An emulator with the state and the requests of a bundle. `close` removes its data. */
export interface BundleEmulator extends Emulator {
  readonly bundle: OpenedBundle
}

/**
 * Opens a bundle in a new emulator, beside other running emulators. Reads the file, and writes only into a temporary folder.
 * @throws {EmulatorError} when the bundle is damaged, of a newer release or too large, or the emulator cannot start
 */
export async function openBundle(
  path: string,
  config: BundleConfig = {},
  observers: readonly EventObserver[] = [],
): Promise<BundleEmulator> {
  const { openBundleEmulator } = await import('./bundle-emulator.ts')
  const {
    followFixture: _,
    platform,
    ...emulator
  } = await openBundleEmulator(path, config, observers)
  return { ...emulator, ...createTestHelpers(platform) }
}
