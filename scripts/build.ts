// `npm run build`, also run by `npm ci`: bundles all products into `dist/`, from the command line to the desktop app. Also
// makes the cluster image, the demo's prepared image and the engine's machine code, so that the emulator starts faster.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'rolldown'
import { packageFile } from '../emulator/core/package-files.ts'
import {
  BUNDLED_IMAGE,
  ensureClusterImage,
} from '../emulator/database/embedded/cluster/cluster-image.ts'
import { BUNDLED_PREPARED_IMAGE } from '../emulator/database/embedded/cluster/prepared-image.ts'
import { engineCodePath } from '../emulator/database/embedded/engine-code.ts'
import { buildClient } from './build-client.ts'
import { buildDesktop } from './build-desktop.ts'
import { buildFixtureImage } from './build-prepared-image.ts'
import { buildUi } from './build-ui.ts'
import { beginBuild } from './built-from.ts'
import { noteLicenses, writeLicenses } from './third-party-licenses.ts'

/**
 * Packages that are not bundled. They are native modules and wasm, which users install as dependencies, packages that the
 * caller provides, and what `pg` loads only in other environments.
 */
const { dependencies, peerDependencies } = JSON.parse(
  readFileSync(packageFile('package.json'), 'utf8'),
)
const INSTALLED = Object.keys({ ...dependencies, ...peerDependencies })
const EXTERNAL = [
  /^node:/,
  ...['electron', 'pg-native', 'cloudflare:sockets', ...INSTALLED].map(packageAndBelow),
]

const noteBuilt = beginBuild()
// Keeps the declarations in `dist/types`, because packing runs build-types.ts before this script, and the documentation site.
const KEPT = ['types', 'docs-site']
mkdirSync(packageFile('dist'), { recursive: true })
for (const name of readdirSync(packageFile('dist')).filter((entry) => !KEPT.includes(entry)))
  rmSync(packageFile('dist', name), { recursive: true })
await build({
  cwd: packageFile(),
  input: {
    bin: 'emulator/cli/bin.ts',
    index: 'emulator/index.ts',
    vitest: 'emulator/assembly/testing/vitest.ts',
    'vitest-setup': 'emulator/assembly/testing/vitest-setup.ts',
    'node-test': 'emulator/assembly/doors/node-test/node-test.ts',
    playwright: 'emulator/assembly/doors/playwright/playwright.ts',
    vite: 'emulator/assembly/doors/vite/vite.ts',
    'make-engine-code': 'emulator/cli/make-engine-code.ts',
    worker: 'emulator/database/embedded/worker/worker.ts',
    'desktop/main': 'main/electron.ts',
  },
  platform: 'node',
  plugins: [noteLicenses],
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
writeLicenses(packageFile('dist/third-party-licenses.txt'))
copyFileSync(await ensureClusterImage(), BUNDLED_IMAGE)
await buildFixtureImage(BUNDLED_PREPARED_IMAGE, packageFile('fixtures/clinics'))
bundleEngineCode()
noteBuilt()

// The machine code only improves speed, so the build continues without it.
function bundleEngineCode(): void {
  const path = engineCodePath()
  try {
    execFileSync(process.execPath, [packageFile('emulator/cli/make-engine-code.ts'), path])
    copyFileSync(path, packageFile('dist', basename(path)))
  } catch (error) {
    process.stderr.write(
      `Could not write the engine's machine code, so starts will be slower: ${String(error)}\n`,
    )
  }
}

function packageAndBelow(name: string): RegExp {
  return new RegExp(`^${name}(/|$)`)
}
