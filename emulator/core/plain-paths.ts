// Builds paths from stored values: ids of records, names in files that tell a start what to do, names in bundles. Such a
// value can come from a file that another person made, so that it must never lead to another folder. Every such path is built
// here.
import { isAbsolute, join, relative, sep } from 'node:path'
import { EmulatorError } from './errors.ts'

/** A stored value names a file outside the folder that it belongs to. */
export class UnsafePathError extends EmulatorError {
  override readonly code = 'unsafe_path'
}

// Begins with no dot, so that `.` and `..` are none. Has no separator, no drive letter and no control character.
const PLAIN_NAME = /^[\w-][\w.-]{0,200}$/

/** Whether the text is a file's name that stays in its folder: letters, digits, `_`, `-`, and dots that are not first. */
export function isPlainName(text: string): boolean {
  return PLAIN_NAME.test(text)
}

/** Returns the path of the file in the folder. @throws {UnsafePathError} when the stored value is no plain name */
export function plainPath(folder: string, stored: string): string {
  if (!isPlainName(stored))
    throw new UnsafePathError(`${JSON.stringify(stored)} is stored as a name and is none.`, {
      hint: 'The files were changed by another program. Restore a copy of the data directory, or start with a new one.',
    })
  return join(folder, stored)
}

/** Writes a path below `root` for `placeInside`: relative, with `/`. @throws {UnsafePathError} when it is not below `root` */
export function storedPlace(root: string, path: string): string {
  const place = relative(root, path).replaceAll(sep, '/')
  placeInside(root, place)
  return place
}

/**
 * Returns the path below `root` that a note names. Notes of earlier releases have absolute paths.
 * @throws {UnsafePathError} when the place is not below `root`, or a part of it is no plain name
 */
export function placeInside(root: string, stored: string): string {
  const place = isAbsolute(stored) ? relative(root, stored).replaceAll(sep, '/') : stored
  return place.split('/').reduce(plainPath, root)
}
