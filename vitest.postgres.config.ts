// `npm run test:postgres`: everything that an emulator does on a PostgreSQL server, over the wire.
import { defineConfig } from 'vitest/config'
import { SlowTests } from './test/support/slow-tests.ts'
import { serverProject } from './test/support/vitest-workers.ts'

const INCLUDED = [
  'test/engines/**/*.test.ts',
  'test/unit/assembly/reset.slow.test.ts',
  'test/wire/**/*.test.ts',
]
/** The Postgres port is the embedded engine's own, and the others choose their engine themselves. */
const EXCLUDED = ['test/wire/postgres/**', 'test/wire/server/**', 'test/wire/cli/engine.test.ts']

export default defineConfig({
  test: { reporters: ['default', new SlowTests()], projects: [serverProject(INCLUDED, EXCLUDED)] },
})
