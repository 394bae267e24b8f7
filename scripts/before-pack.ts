// Called by the packager before each target. Checks that the target's native modules are installed, because packing compiles
// nothing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The packager's numbers for architectures. */
const ARCHITECTURES: Readonly<Record<number, string>> = { 1: 'x64', 3: 'arm64' }

export interface PackTarget {
  readonly electronPlatformName: string
  readonly arch: number
  readonly packager: { readonly projectDir: string }
}

/** @throws {Error} naming the packages to install when a module of the target is missing */
export function beforePack({ electronPlatformName, arch, packager }: PackTarget): void {
  const target = `${electronPlatformName}-${ARCHITECTURES[arch] ?? arch}`
  const modules = join(packager.projectDir, 'node_modules')
  const wanted = [`better-sqlite3/prebuilds/${target}.node`, `@img/sharp-${target}/package.json`]
  const missing = wanted.filter((path) => !existsSync(join(modules, path)))
  if (missing.length > 0)
    throw new Error(
      `Native modules for ${target} are missing: ${missing.join(', ')}. ` +
        `Run: npm install --no-save --force @img/sharp-${target} (and @img/sharp-libvips-${target}, except on Windows).`,
    )
}
