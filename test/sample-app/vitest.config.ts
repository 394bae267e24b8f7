import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// An application usually imports the published package. This application imports the repository's sources, so that its tests need
// no build.
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
    // Node.js itself loads these files, as it loads the files of an installed package.
    server: { deps: { external: [/\/emulator\//, /\/client\//] } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
