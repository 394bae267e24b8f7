import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// An application imports the package. This one imports the project's sources instead, so that no build is needed.
const source = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^tenantry\/vitest\/setup$/,
        replacement: source('emulator/assembly/testing/vitest-setup.ts'),
      },
      { find: /^tenantry\/vitest$/, replacement: source('emulator/assembly/testing/vitest.ts') },
      { find: /^tenantry\/client$/, replacement: source('client/index.ts') },
    ],
  },
  test: {
    globalSetup: ['test/platform.ts'],
    maxWorkers: 4,
    // As a package's: loaded by Node itself.
    server: { deps: { external: [/\/emulator\//, /\/client\//] } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
