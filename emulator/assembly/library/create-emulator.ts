// The emulator of the public library: a platform with test helpers.

import type { EmulatorConfig } from '../config.ts'
import { createTestHelpers, type TestHelpers } from '../testing/helpers.ts'
import { type EmulatorMethods, openEmulator } from './emulator.ts'
import type { EventObserver } from './public-types.ts'

/** A running emulator with the helpers for tests. `await using` closes it at the end of the block. */
export interface Emulator extends EmulatorMethods, TestHelpers {}

/**
 * Opens an emulator. Every member of the configuration is optional.
 * @param observers receive each event, like `observe` of the configuration, which is the shorter way
 * @throws {EmulatorError} when the data directory is in use, damaged or not writable, or the configuration is wrong
 */
export async function createEmulator(
  config: EmulatorConfig = {},
  observers: readonly EventObserver[] = [],
): Promise<Emulator> {
  const opened = await openEmulator(config, observers)
  const { followFixture: _, noteWatch: __, platform, ...emulator } = opened
  return { ...emulator, ...createTestHelpers(platform) }
}
