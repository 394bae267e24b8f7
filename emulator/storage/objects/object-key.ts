// Names inside a bucket (docs/wire/storage.md#keys). A key is a string and never a path of ours. Pure.
import { refuse } from '../errors.ts'

const OBJECT_KEY = /^[\w/!.*'() &$@=;:+,?-]+$/
const PLACEHOLDER = '.emptyFolderPlaceholder'

/** Whether upstream accepts every character. Any length is allowed; `..` and `//` are ordinary text. */
export function isObjectKey(text: string): boolean {
  return OBJECT_KEY.test(text)
}

/** @throws {StorageError} `InvalidKey`, e.g. for an accent */
export function requireObjectKey(text: string): string {
  if (isObjectKey(text)) return text
  throw refuse.invalidKey(text)
}

/** What dashboards keep an empty folder with: 0 bytes, of any mime type. */
export function isFolderPlaceholder(objectKey: string): boolean {
  return objectKey.endsWith(PLACEHOLDER)
}
