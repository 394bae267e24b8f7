// Builds the preload script, pages and icon of the desktop app. The main process is an entry of the emulator's bundle, so that
// both share chunks.
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import sharp from 'sharp'
import { packageFile } from '../emulator/core/package-files.ts'

/** Pixels. macOS needs an icon of this size; the packager makes the smaller ones. */
const ICON_SIZE = 1_024

/** Writes into `folder` (dist/desktop). */
export async function buildDesktop(folder: string): Promise<void> {
  const pages = join(folder, 'pages')
  mkdirSync(pages, { recursive: true })
  await build({
    cwd: packageFile(),
    input: 'main/preload.ts',
    platform: 'node',
    external: ['electron'],
    output: { file: join(folder, 'preload.cjs'), format: 'cjs' },
  })
  await build({
    cwd: packageFile(),
    input: 'main/pages/standing.ts',
    platform: 'browser',
    output: { file: join(pages, 'standing.js'), format: 'iife', minify: true },
  })
  for (const file of ['standing.html', 'standing.css'])
    copyFileSync(packageFile('main/pages', file), join(pages, file))
  await sharp(packageFile('renderer/icon.svg'), { density: 600 })
    .resize(ICON_SIZE, ICON_SIZE)
    .png()
    .toFile(join(folder, 'icon.png'))
}
