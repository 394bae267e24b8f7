// The engine's machine code in the user's cache folder, for a Node version, processor or flags that differ from those of the
// build. A process in the background writes the code after the first start (start/engine-code-later.ts).
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { cacheFolder } from '../../core/cache-folder.ts'

/** Number of files to keep in the folder, the newest ones. One file has about 8 MB. */
const KEPT_FILES = 3
/** The mode bits that let the group or all users write. */
const OTHERS_WRITE = 0o022
const NAME = /^engine-[\w.-]+\.code$/

// V8 derives the tag from its version, the processor's features and its flags. This line runs before any flag is changed.
const NAME_HERE = `engine-${process.versions.v8}-${process.platform}-${process.arch}-${cachedDataVersionTag().toString(16)}.code`

/** Path of the code for this Node, processor and flags. */
export function cachedCodePath(): string {
  return join(cacheFolder(), NAME_HERE)
}

/**
 * Whether the code at `path` must be made. An empty file means that V8 failed to make the code. V8 has refused the code of any
 * other file, so the file is replaced.
 */
export function isCodeWanted(path: string): boolean {
  return !existsSync(path) || statSync(path).size > 0
}

/** Whether the file and its folder belong to this user, and no other user may write them. Windows has no user ids. */
export function isOwnFile(path: string): boolean {
  const user = process.getuid?.()
  return [path, dirname(path)].every((each) => {
    const stats = statSync(each, { throwIfNoEntry: false })
    if (stats === undefined) return false
    return user === undefined || (stats.uid === user && (stats.mode & OTHERS_WRITE) === 0)
  })
}

/** Removes old code beside `path`. Ignores files that another process removes meanwhile. */
export function removeOldCode(path: string): void {
  const folder = dirname(path)
  const age = (name: string): number =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const others = readdirSync(folder)
    .filter((name) => NAME.test(name) && name !== basename(path))
    .map((name) => ({ name, age: age(name) }))
    .toSorted((a, b) => b.age - a.age)
  for (const { name } of others.slice(KEPT_FILES - 1)) rmSync(join(folder, name), { force: true })
}
