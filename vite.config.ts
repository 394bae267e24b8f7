// How the inspector's pages are bundled into dist/ui (scripts/build-ui.ts) and served while they are being worked on
// (`npm run dev:ui`, beside an emulator on port 7357 or on the one that EMULATOR_URL names).
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

const emulatorUrl = process.env['EMULATOR_URL'] ?? 'http://127.0.0.1:7357'
const PLATFORM_PATHS =
  '^/(auth|platform|groups|st|rt|storage|realtime|rest)/v1|^/\\.well-known|^/_emulator/v1'

const EDITOR =
  /node_modules\/(@codemirror|@lezer|@marijn|crelt|style-mod|w3c-keyname)\/|renderer\/parts\/sql-syntax/

export default defineConfig({
  root: 'renderer',
  base: '/_emulator/',
  plugins: [tailwindcss()],
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // The pages' security policy allows files of our own, not data: scripts or fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    // "use client" says nothing to a page that is all client.
    rolldownOptions: {
      // One file beside the entry and the route's own: dozens of small ones queue for a browser's six connections to a host.
      // The editor and its grammar are in a file of their own, which the first screen doesn't load.
      output: {
        codeSplitting: {
          groups: [
            { name: 'editor', test: EDITOR, priority: 1 },
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
      onLog: (level, log, tell) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log)
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { [PLATFORM_PATHS]: { target: emulatorUrl, ws: true } },
  },
})
