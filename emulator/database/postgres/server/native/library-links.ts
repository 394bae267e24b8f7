// Creates the symbolic links of the package's shared libraries. The package's install script does it too, but npm may block
// install scripts.
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isJsonObject, parseJson } from '../../../../core/json.ts'
import { ServerError } from '../running-server.ts'

interface Link {
  /** Path of the file inside the package. */
  readonly source: string
  /** Path of the link inside the package. */
  readonly target: string
}

/**
 * Creates missing links. Other processes may create the same links at the same time.
 * @throws {ServerError} server_not_installed when a link is missing and the folder cannot be written
 */
export function linkLibraries(root: string, packageName: string): void {
  for (const { source, target } of readLinks(root)) {
    const path = join(root, target)
    if (existsSync(path)) continue
    try {
      symlinkSync(relative(dirname(target), source), path)
    } catch (cause) {
      if (existsSync(path)) continue
      throw new ServerError(
        'server_not_installed',
        `The library ${path} is missing and cannot be created.`,
        { hint: `Run "npm rebuild ${packageName}" as an account that may write there.`, cause },
      )
    }
  }
}

// Packages without links, such as the one for Windows, have an empty list or no file.
function readLinks(root: string): readonly Link[] {
  let text: string
  try {
    text = readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')
  } catch {
    return []
  }
  const list = parseJson(text)
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown): Link[] => {
    if (!isJsonObject(entry)) return []
    const { source, target } = entry
    return typeof source === 'string' && typeof target === 'string' ? [{ source, target }] : []
  })
}
