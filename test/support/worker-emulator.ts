// The emulator that the test files of one worker share, because its start takes longer than the tests of most files. Each file
// gets the emulator in the state after the start (docs/guide/tests.md). The emulator ends with the worker's process.
import { expect } from 'vitest'
import type { EmulatorConfig, Observer } from '../../emulator/index.ts'
import { TEST_DATABASE_URL, TEST_SEED } from './engine-of-run.ts'
import { startTestEmulator, type TestEmulator } from './test-emulator.ts'

/**
 * Whether files share an emulator. With a seed, each file needs an emulator that begins with the same identifiers. On a server,
 * resets are slow, because they copy databases.
 */
const IS_SHARED = TEST_SEED === undefined && TEST_DATABASE_URL === undefined

let shared: Promise<TestEmulator> | undefined
let observersOfFile: readonly Observer[] = []
let takenBy: string | undefined

/** Starts an emulator of this configuration. Without a configuration, returns the worker's emulator. */
export async function emulatorOf(
  config: EmulatorConfig | undefined,
  observers: readonly Observer[] = [],
): Promise<TestEmulator> {
  return config === undefined ? workerEmulator(observers) : startTestEmulator(config, observers)
}

/**
 * Resets the worker's emulator and returns it for one test file. A file must start its own emulator when it closes or damages it,
 * or applies fixtures, which a reset keeps.
 */
export async function workerEmulator(observers: readonly Observer[] = []): Promise<TestEmulator> {
  if (!IS_SHARED) return startTestEmulator({}, observers)
  const { testPath } = expect.getState()
  if (takenBy === testPath) throw new Error('This file uses the emulator of its worker already.')
  takenBy = testPath
  if (shared === undefined) {
    endWithWorker()
    shared = startTestEmulator({}, [
      (observation) => {
        for (const observe of observersOfFile) observe(observation)
      },
    ])
  } else await resetShared(shared)
  const at = await shared
  observersOfFile = observers
  // Reads the session again, because the previous file may have moved the clock, so that its session expired.
  const { platform } = await at.emulator.ready(at.url)
  return {
    ...at,
    session: platform.session_token,
    [Symbol.asyncDispose]: async () => {
      observersOfFile = []
    },
  }
}

/** @throws {EmulatorError} for this file. The next file of the worker starts another emulator. */
async function resetShared(emulator: Promise<TestEmulator>): Promise<void> {
  try {
    const { tenants_reset: kept } = await (await emulator).emulator.reset()
    if (kept > 0) throw new Error('A file of this worker applied a fixture, which a reset keeps.')
  } catch (error) {
    shared = undefined
    throw error
  }
}

/** Removes the temporary folders of emulators that stay open until a signal ends the worker. */
export function endWithWorker(): void {
  process.once('SIGTERM', () => process.exit())
}
