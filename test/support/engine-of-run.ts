// The engine that this run tests: the embedded one, or a server when vitest.config.ts sets these variables.
import { describe, it } from 'vitest'
import type { EmulatorConfig } from '../../emulator/index.ts'

/** URL of the server; `undefined` when the run tests the embedded engine. */
export const TEST_DATABASE_URL: string | undefined =
  process.env['TENANTRY_TEST_ENGINE'] === 'postgres'
    ? process.env['TENANTRY_TEST_DATABASE_URL']
    : undefined

/** The engine of this run's emulators. */
export const TEST_ENGINE: Pick<EmulatorConfig, 'engine' | 'databaseUrl'> =
  TEST_DATABASE_URL === undefined ? {} : { engine: 'postgres', databaseUrl: TEST_DATABASE_URL }

/**
 * The seed for emulators that a test starts without a seed. `undefined` when tests use the product's default, with a stock of
 * prepared clones.
 */
export const TEST_SEED: string | undefined = process.env['TEST_SEED']

interface Only {
  readonly describe: (title: string, tests: () => void) => void
  readonly it: (title: string, test: () => Promise<void>, timeoutMillis?: number) => void
}

/** Defines tests that are skipped on a server. `because` is a sentence for their titles. */
export function onlyEmbedded(because: string): Only {
  return TEST_DATABASE_URL === undefined ? { describe, it } : skipped(because)
}

// Skips tests of behaviour that only the embedded engine has. The same run also tests the embedded engine, so no coverage is
// lost.
function skipped(because: string): Only {
  return {
    describe: (title, tests) => describe.skip(`${title} (skipped: ${because})`, tests),
    it: (title, test) => it.skip(`${title} (skipped: ${because})`, test),
  }
}
