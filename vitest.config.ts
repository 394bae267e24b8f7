import { defineConfig } from 'vitest/config'
import { noNativeServer } from './test/support/native-server.ts'
import { SlowTests } from './test/support/slow-tests.ts'

// PGlite takes about 200 MB for each emulator; two files at a time keep a two-core machine responsive.
const workers = {
  pool: 'forks' as const,
  maxWorkers: 2,
  // Files of one worker share its modules: loading them again for each file costs more than most files' tests.
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // Node reads the emulator's TypeScript itself. Transforming it once for each project would take half of a short file's time.
  server: { deps: { external: [/\/(client|emulator)\/.*\.ts$/] } },
}

/** Properties over hundreds of cases and restarts of whole engines: seconds each, so `npm run test:quick` leaves them out. */
const LONG = 'test/{unit,engines}/**/*.slow.test.ts'
const DATA_PLANE = 'test/wire/data/**/*.test.ts'
const END_USERS = 'test/wire/auth/**/*.test.ts'

/** Tests that run on a PostgreSQL server, too. */
const SERVER = {
  test: {
    name: 'server',
    include: ['test/engines/**/*.test.ts'],
    env: { TENANTRY_TEST_ENGINE: 'postgres' },
    globalSetup: ['test/support/shared-server.ts'],
    ...workers,
  },
}
const servers = noNativeServer === undefined ? [SERVER] : []
if (noNativeServer !== undefined)
  console.warn(`The tests on a PostgreSQL server are skipped: ${noNativeServer}`)

export default defineConfig({
  test: {
    reporters: ['default', new SlowTests()],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/engines/**/*.test.ts', 'test/*.test.ts'],
          exclude: [LONG],
          ...workers,
        },
      },
      { test: { name: 'engines', include: [LONG], ...workers } },
      ...servers,
      {
        test: {
          name: 'wire',
          include: ['test/wire/**/*.test.ts'],
          exclude: [DATA_PLANE, END_USERS],
          ...workers,
        },
      },
      // Files of one worker share its modules; in the data plane also the emulator of test/support/data-world.ts.
      { test: { name: 'data plane', include: [DATA_PLANE], ...workers } },
      { test: { name: 'end users', include: [END_USERS], ...workers } },
      { test: { name: 'docs', include: ['test/docs/**/*.test.ts'], ...workers } },
      {
        test: { name: 'fuzz', include: ['test/fuzz/**/*.test.ts'], ...workers },
      },
      // Installs what `npm pack` makes; skipped without the npm registry.
      { test: { name: 'package', include: ['test/package/**/*.test.ts'], ...workers } },
      { test: { name: 'desktop', include: ['test/desktop/**/*.test.ts'], ...workers } },
      { test: { name: 'browser', include: ['test/browser/**/*.test.ts'], ...workers } },
    ],
  },
})
