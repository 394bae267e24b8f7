// Builds paths from stored values: ids of records, names in bundles, and names in files that a start reads. A stored value can
// come from a file of another person, so it must never lead to another folder. Only this file builds such paths.
import { isAbsolute, join, relative, sep } from 'node:path'
import { EmulatorError } from './errors.ts'

/** Thrown when a stored value would lead to a file outside its folder. */
export class UnsafePathError extends EmulatorError {
  override readonly code = 'unsafe_path'
}

// The name must not begin with a dot, which excludes `.` and `..`. Separators, drive letters and control characters are excluded.
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

/** Returns the path relative to `root`, with `/`, for `placeInside`. @throws {UnsafePathError} when it is not below `root` */
export function storedPlace(root: string, path: string): string {
  const place = relative(root, path).replaceAll(sep, '/')
  placeInside(root, place)
  return place
}

/**
 * Returns the path for a text that `storedPlace` returned. Earlier releases stored absolute paths.
 * @throws {UnsafePathError} when the path is not below `root`, or a part of it is no plain name
 */
export function placeInside(root: string, stored: string): string {
  const place = isAbsolute(stored) ? relative(root, stored).replaceAll(sep, '/') : stored
  return place.split('/').reduce(plainPath, root)
}
