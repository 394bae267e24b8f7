// `npm run test:postgres`: everything that an emulator does on a PostgreSQL server, over the wire.
import { defineConfig } from 'vitest/config'
import { DeadWorkers } from './test/support/dead-workers.ts'
import { SlowTests } from './test/support/slow-tests.ts'
import { serverProject } from './test/support/vitest-workers.ts'

const INCLUDED = [
  'test/engines/**/*.test.ts',
  'test/unit/snapshots/reset.slow.test.ts',
  'test/unit/fixtures/{changed-steps,follow-fixture}.slow.test.ts',
  'test/wire/**/*.test.ts',
]
/** What only the embedded engine has: its own Postgres port, its files and its thread. The others choose their engine. */
const EXCLUDED = [
  // Limits of the one backend, connections of the emulator's own port, a restart of the thread, and the port's parser.
  'test/wire/postgres/{bounds,crowd,engine-restart,hostile}.test.ts',
  'test/wire/server/**',
  'test/wire/cli/{client-connections,engine,full-disk,without-internals}.test.ts',
]

export default defineConfig({
  test: {
    reporters: ['default', new SlowTests(), new DeadWorkers()],
    projects: [serverProject('server', INCLUDED, EXCLUDED)],
  },
})
