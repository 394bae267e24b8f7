// Bundles `tenantry/client` into one ESM file that a page imports without a bundler. The file needs no Node and has no imports.
import { build } from 'rolldown'
import { packageFile } from '../emulator/core/package-files.ts'
import { noteLicenses } from './third-party-licenses.ts'

/** Writes `index.mjs` into `folder`. */
export async function buildClient(folder: string): Promise<void> {
  await build({
    cwd: packageFile(),
    input: { index: 'client/index.ts' },
    platform: 'browser',
    plugins: [noteLicenses],
    tsconfig: 'tsconfig.client.json',
    output: {
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].mjs',
      codeSplitting: false,
      comments: { jsdoc: false },
    },
  })
}
