// Validates the keys of objects in a bucket (docs/wire/storage.md#keys). A key is never used as a file path. Pure.
import { refuse } from '../errors.ts'

const OBJECT_KEY = /^[\w/!.*'() &$@=;:+,?-]+$/
const PLACEHOLDER = '.emptyFolderPlaceholder'

/** Whether upstream accepts every character of the key. Any length is allowed; `..` and `//` have no special meaning. */
export function isObjectKey(text: string): boolean {
  return OBJECT_KEY.test(text)
}

/** Returns the text if it is a valid key. @throws {StorageError} `invalidKey`, e.g. for a letter with an accent */
export function requireObjectKey(text: string): string {
  if (isObjectKey(text)) return text
  throw refuse.invalidKey(text)
}

/**
 * Whether the key is the placeholder object by which dashboards keep an empty folder. A placeholder has 0 bytes and any MIME
 * type.
 */
export function isFolderPlaceholder(objectKey: string): boolean {
  return objectKey.endsWith(PLACEHOLDER)
}
