// How vitest runs test files: the options of every project, and the project of tests on a PostgreSQL server.
import { resolve } from 'node:path'
import type { TestProjectInlineConfiguration } from 'vitest/config'

/** PGlite takes about 200 MB for each emulator; two files at a time keep a two-core machine responsive. */
export const WORKERS = {
  pool: 'forks' as const,
  maxWorkers: 2,
  // Files of one worker share its modules: loading them again for each file costs more than most files' tests.
  isolate: false,
  // Node reads the emulator's TypeScript itself. Transforming it once for each project would take half of a short file's time.
  server: { deps: { external: [/\/(client|emulator)\/.*\.ts$/] } },
  // Node keeps what it compiled, also for the threads and processes that a worker starts: a quarter of an engine's start.
  env: { NODE_COMPILE_CACHE: resolve('.cache/node') },
  setupFiles: ['test/support/keep-compiled.ts', 'test/support/scale-timeouts.ts'],
}

/** Runs these files on one PostgreSQL server (shared-server.ts). */
export function serverProject(
  name: string,
  include: string[],
  exclude: string[] = [],
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include,
      exclude,
      globalSetup: ['test/support/shared-server.ts'],
      ...WORKERS,
      env: { ...WORKERS.env, TENANTRY_TEST_ENGINE: 'postgres', TEST_SEED: 'wire' },
    },
  }
}
