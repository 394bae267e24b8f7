// Paths of the package's own files, both when run from source and from the bundle in `dist/`.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The nearest parent folder with a package.json. */
const PACKAGE_ROOT: string = rootAbove(import.meta.dirname)

/** Whether the code runs from the bundle that `npm run build` makes. */
export const IS_BUNDLED: boolean = !import.meta.filename.endsWith('.ts')

/** Returns the path of a package file, given relative to the package's root. */
export function packageFile(...segments: readonly string[]): string {
  return join(PACKAGE_ROOT, ...segments)
}

function rootAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder
  return rootAbove(dirname(folder))
}
