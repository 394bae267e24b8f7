import { defineConfig } from 'vitest/config'
import { DeadWorkers } from './test/support/dead-workers.ts'
import { noNativeServer } from './test/support/native-server.ts'
import { SlowTests } from './test/support/slow-tests.ts'
import { serverProject, WORKERS } from './test/support/vitest-workers.ts'

/** Properties over hundreds of cases and restarts of whole engines: seconds each. */
const LONG = 'test/{unit,engines}/**/*.slow.test.ts'
const DATA_PLANE = 'test/wire/data/**/*.test.ts'
const END_USERS = 'test/wire/auth/**/*.test.ts'
const COMMANDS = 'test/wire/{cli,server,testing}/**/*.test.ts'

/** A case that failed has to fail again. With a seed, an emulator has no stock of prepared clones. */
const REPEATABLE = { ...WORKERS, env: { ...WORKERS.env, TEST_SEED: 'wire' } }

/** What also runs on a PostgreSQL server. `npm run test:postgres` runs all that a server can do. */
const ON_A_SERVER = [
  'test/engines/**/*.test.ts',
  'test/wire/data/{conflicts,fresh-answers,functions,isolation,reading,writing}.test.ts',
  'test/wire/auth/password-sign-in.test.ts',
  'test/wire/realtime/changes-{filters,verdicts}.test.ts',
  'test/wire/storage/bearers.test.ts',
  'test/wire/migrations/apply.test.ts',
  'test/wire/inspector/{changes,snapshots}.test.ts',
  'test/wire/postgres/{role-names,orm-tools,pg-dump,backslash-commands}.test.ts',
]
const servers = noNativeServer === undefined ? [serverProject('slow server', ON_A_SERVER)] : []
if (noNativeServer !== undefined)
  console.warn(`The tests on a PostgreSQL server are skipped: ${noNativeServer}`)

// `npm test` leaves out the projects whose name begins with "slow", `npm run test:slow` runs only these, and `npm run test:all`
// runs all projects. vitest runs projects in the order of their names.
export default defineConfig({
  test: {
    reporters: ['default', new SlowTests(), new DeadWorkers()],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/engines/**/*.test.ts', 'test/*.test.ts'],
          exclude: [LONG],
          ...WORKERS,
        },
      },
      {
        test: {
          name: 'wire',
          include: ['test/wire/**/*.test.ts'],
          exclude: [DATA_PLANE, END_USERS, COMMANDS],
          ...WORKERS,
        },
      },
      // Starts processes.
      { test: { name: 'commands', include: [COMMANDS], ...WORKERS } },
      // Files of one worker share its modules; in the data plane also the emulator of test/support/data-world.ts.
      { test: { name: 'data plane', include: [DATA_PLANE], ...WORKERS } },
      { test: { name: 'end users', include: [END_USERS], ...WORKERS } },
      { test: { name: 'desktop', include: ['test/desktop/**/*.test.ts'], ...WORKERS } },
      { test: { name: 'browser', include: ['test/browser/**/*.test.ts'], ...WORKERS } },
      { test: { name: 'slow docs', include: ['test/docs/**/*.test.ts'], ...WORKERS } },
      { test: { name: 'slow engines', include: [LONG], ...WORKERS } },
      { test: { name: 'slow fuzz', include: ['test/fuzz/**/*.test.ts'], ...REPEATABLE } },
      // Installs what `npm pack` makes; skipped without the npm registry.
      { test: { name: 'slow package', include: ['test/package/**/*.test.ts'], ...WORKERS } },
      ...servers,
    ],
  },
})
