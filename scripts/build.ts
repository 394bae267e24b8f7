// `npm run build`, also run by `npm ci`: bundles the command line, the library, what tests take of it, the database worker, the
// client library, the inspector's pages and the desktop app into `dist/`, and makes the cluster image and the engine's machine code, so that
// none of them costs time when the emulator starts.
import { execFileSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'rolldown'
import { packageFile } from '../emulator/core/package-files.ts'
import {
  BUNDLED_IMAGE,
  ensureClusterImage,
} from '../emulator/database/embedded/cluster/cluster-image.ts'
import { engineCodePath } from '../emulator/database/embedded/host/engine-code.ts'
import { buildClient } from './build-client.ts'
import { buildDesktop } from './build-desktop.ts'
import { buildUi } from './build-ui.ts'

/** Native modules, wasm and what the caller brings stay packages; everything else is bundled. */
const EXTERNAL = [
  /^node:/,
  /^electron$/,
  /^@electric-sql\/pglite/,
  /^better-sqlite3/,
  /^libpg-query/,
  /^sharp/,
  /^vitest/,
]

rmSync(packageFile('dist'), { recursive: true, force: true })
await build({
  cwd: packageFile(),
  input: {
    bin: 'emulator/cli/bin.ts',
    index: 'emulator/index.ts',
    vitest: 'emulator/testing/vitest.ts',
    'vitest-setup': 'emulator/testing/vitest-setup.ts',
    worker: 'emulator/database/embedded/worker/worker.ts',
    'desktop/main': 'main/electron.ts',
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
await buildClient(packageFile('dist/client'))
await buildUi()
await buildDesktop(packageFile('dist/desktop'))
copyFileSync(await ensureClusterImage(), BUNDLED_IMAGE)
bundleEngineCode()

// Only speed depends on it, so that a build without it is still good.
function bundleEngineCode(): void {
  const path = engineCodePath()
  try {
    execFileSync(process.execPath, [packageFile('scripts/build-engine-code.ts'), path])
    copyFileSync(path, packageFile('dist', basename(path)))
  } catch (error) {
    process.stderr.write(
      `Starts will be slower, the engine's code cannot be kept: ${String(error)}\n`,
    )
  }
}
