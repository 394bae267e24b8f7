import { defineConfig } from 'vitest/config'
import { noNativeServer } from './test/support/native-server.ts'
import { SlowTests } from './test/support/slow-tests.ts'
import { serverProject, WORKERS } from './test/support/vitest-workers.ts'

/** Properties over hundreds of cases and restarts of whole engines: seconds each, so `npm run test:quick` leaves them out. */
const LONG = 'test/{unit,engines}/**/*.slow.test.ts'
const DATA_PLANE = 'test/wire/data/**/*.test.ts'
const END_USERS = 'test/wire/auth/**/*.test.ts'
const COMMANDS = 'test/wire/{cli,server,testing}/**/*.test.ts'

/** What `npm test` runs on a PostgreSQL server, too. `npm run test:postgres` runs all that a server can do. */
const ON_A_SERVER = [
  'test/engines/**/*.test.ts',
  'test/wire/data/{conflicts,functions,isolation,reading,writing}.test.ts',
  'test/wire/auth/password-sign-in.test.ts',
  'test/wire/realtime/changes-{filters,verdicts}.test.ts',
  'test/wire/storage/bearers.test.ts',
  'test/wire/migrations/apply.test.ts',
  'test/wire/inspector/snapshots.test.ts',
  'test/wire/postgres/{role-names,orm-tools,pg-dump,backslash-commands}.test.ts',
]
const servers = noNativeServer === undefined ? [serverProject(ON_A_SERVER)] : []
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
          ...WORKERS,
        },
      },
      { test: { name: 'engines', include: [LONG], ...WORKERS } },
      ...servers,
      {
        test: {
          name: 'wire',
          include: ['test/wire/**/*.test.ts'],
          exclude: [DATA_PLANE, END_USERS, COMMANDS],
          ...WORKERS,
        },
      },
      // Starts processes, which takes long. vitest runs projects in the order of their names, so no long file is the last one.
      { test: { name: 'commands', include: [COMMANDS], ...WORKERS } },
      // Files of one worker share its modules; in the data plane also the emulator of test/support/data-world.ts.
      { test: { name: 'data plane', include: [DATA_PLANE], ...WORKERS } },
      { test: { name: 'end users', include: [END_USERS], ...WORKERS } },
      { test: { name: 'docs', include: ['test/docs/**/*.test.ts'], ...WORKERS } },
      {
        test: { name: 'fuzz', include: ['test/fuzz/**/*.test.ts'], ...WORKERS },
      },
      // Installs what `npm pack` makes; skipped without the npm registry.
      { test: { name: 'package', include: ['test/package/**/*.test.ts'], ...WORKERS } },
      { test: { name: 'desktop', include: ['test/desktop/**/*.test.ts'], ...WORKERS } },
      { test: { name: 'browser', include: ['test/browser/**/*.test.ts'], ...WORKERS } },
    ],
  },
})
