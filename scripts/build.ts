// `npm run build`, also run by `npm ci`: bundles the command line, the library and the database worker into `dist/`, and
// makes the cluster image, so that neither costs time when the emulator starts.
import { copyFileSync, rmSync } from 'node:fs'
import { build } from 'rolldown'
import { packageFile } from '../emulator/core/package-files.ts'
import { BUNDLED_IMAGE, ensureClusterImage } from '../emulator/database/cluster-image.ts'

/** Native modules and wasm stay packages; everything else is bundled. */
const EXTERNAL = [/^node:/, /^@electric-sql\/pglite/, /^better-sqlite3/, /^libpg-query/]

rmSync(packageFile('dist'), { recursive: true, force: true })
await build({
  cwd: packageFile(),
  input: {
    bin: 'emulator/cli/bin.ts',
    index: 'emulator/index.ts',
    worker: 'emulator/database/pglite-worker/worker.ts',
  },
  platform: 'node',
  external: EXTERNAL,
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'chunks/[name]-[hash].mjs',
  },
})
copyFileSync(await ensureClusterImage(), BUNDLED_IMAGE)
