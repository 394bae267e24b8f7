// Run by the packager before each target: the native modules of that system have to be there, because nothing is compiled.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const ARCHITECTURES = { 1: 'x64', 3: 'arm64' }
const SYSTEMS = { win32: 'win32', darwin: 'darwin', linux: 'linux' }

/** @param {{ electronPlatformName: keyof typeof SYSTEMS, arch: 1 | 3, packager: { projectDir: string } }} target */
export function beforePack({ electronPlatformName, arch, packager }) {
  const target = `${SYSTEMS[electronPlatformName]}-${ARCHITECTURES[arch]}`
  const modules = join(packager.projectDir, 'node_modules')
  const wanted = [`better-sqlite3/prebuilds/${target}.node`, `@img/sharp-${target}/package.json`]
  const missing = wanted.filter((path) => !existsSync(join(modules, path)))
  if (missing.length > 0)
    throw new Error(
      `Native modules for ${target} are missing: ${missing.join(', ')}. ` +
        `Run: npm install --no-save --force @img/sharp-${target} (and @img/sharp-libvips-${target}, except on Windows).`,
    )
}
