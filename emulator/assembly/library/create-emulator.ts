// The emulator of the public library: a platform with test helpers.

import type { Observer } from '../../core/observation.ts'
import type { EmulatorConfig } from '../config.ts'
import { createTestHelpers, type TestHelpers } from '../testing/helpers.ts'
import { type BareEmulator, openEmulator } from './emulator.ts'

export interface Emulator extends Omit<BareEmulator, 'platform' | 'followFixture'>, TestHelpers {}

/**
 * Opens an emulator. Every member of the configuration is optional (config.ts).
 * @throws {EmulatorError} when the data directory is in use, damaged or not writable, or the configuration is wrong
 */
export async function createEmulator(
  config: EmulatorConfig = {},
  observers: readonly Observer[] = [],
): Promise<Emulator> {
  const { followFixture: _, platform, ...emulator } = await openEmulator(config, observers)
  return { ...emulator, ...createTestHelpers(platform) }
}
