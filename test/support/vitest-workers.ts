// How vitest runs test files: the options of every project, and the project of tests on a PostgreSQL server.
import { resolve } from 'node:path'
import type { TestProjectInlineConfiguration } from 'vitest/config'

/** PGlite takes about 200 MB for each emulator; two files at a time keep a two-core machine responsive. */
export const WORKERS = {
  pool: 'forks' as const,
  maxWorkers: 2,
  // Test files in one worker share its modules, because loading the modules for each file takes longer than most files' tests.
  isolate: false,
  // Node.js itself loads the emulator's TypeScript. If vite transformed the files for each vitest project, this would take half
  // of a short file's time.
  server: { deps: { external: [/\/(client|emulator)\/.*\.ts$/] } },
  // Node.js caches compiled code, also for the threads and processes that a worker starts. The cache saves a quarter of an
  // engine's start.
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
