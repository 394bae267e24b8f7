// Iterates over the keys of a bucket in sort order. The walk shows a folder as one entry and skips the folder's content.
import type { KeyOrder } from './key-order.ts'
import { AFTER_ALL, type ListPlace, type ListScope } from './list-scope.ts'

export interface FoundKey {
  /** Full key in the bucket. The key of a folder ends in a slash. */
  readonly key: string
  readonly isFolder: boolean
}

/**
 * Bounds for the number of keys that one query reads. The number doubles with each query, and returns to the minimum after a
 * skipped folder.
 */
const MIN_KEYS = 32
const MAX_KEYS = 1_024

/** Yields the keys and folders that follow `after`, or all of the scope when `after` is `undefined`. */
export function* walkKeys(
  order: KeyOrder,
  scope: ListScope,
  after: ListPlace | undefined,
): Generator<FoundKey> {
  const { prefix } = scope
  const beginning = order.placeOf(prefix + (scope.search ?? ''))
  const cursor = openCursor(order, scope, startOf(order, scope, beginning, after))
  for (let key = cursor.next(); key !== undefined; key = cursor.next()) {
    if (!order.placeOf(key).startsWith(beginning)) return
    if (!key.startsWith(prefix)) continue
    const slash = scope.hasFolders ? key.indexOf('/', prefix.length) : -1
    if (slash < 0) {
      yield { key, isFolder: false }
      continue
    }
    const folder = key.slice(0, slash + 1)
    cursor.passFolder(folder)
    for (const variant of order.variantsOf(scope, folder)) yield { key: variant, isFolder: true }
  }
}

interface KeyCursor {
  next(): string | undefined
  /** Skips the remaining keys in the folder of the key that `next` returned last. */
  passFolder(folder: string): void
}

function openCursor(
  order: KeyOrder,
  { bucket, isDescending }: ListScope,
  start: string,
): KeyCursor {
  let place = start
  let count = MIN_KEYS
  let keys = order.read(bucket, place, count, isDescending)
  let index = 0
  let passed: string | undefined
  const isPassed = (key: string): boolean =>
    passed !== undefined && order.placeOf(key).startsWith(passed)
  function advance(): string | undefined {
    if (index === keys.length && keys.length === count) {
      count = passed === undefined ? Math.min(count * 2, MAX_KEYS) : MIN_KEYS
      keys = order.read(bucket, place, count, isDescending)
      index = 0
    }
    index += 1
    return keys[index - 1]
  }
  return {
    next: () => {
      let key = advance()
      while (key !== undefined && isPassed(key)) key = advance()
      if (key !== undefined) place = order.placeOfKey(key, isDescending)
      passed = undefined
      return key
    },
    passFolder: (folder) => {
      passed = order.placeOf(folder)
      place = isDescending ? passed : passed + AFTER_ALL
    },
  }
}

function startOf(
  order: KeyOrder,
  { prefix, hasFolders, isDescending }: ListScope,
  beginning: string,
  after: ListPlace | undefined,
): string {
  const start = isDescending ? beginning + AFTER_ALL : beginning
  if (after === undefined) return start
  const isFolder = hasFolders && after.key.length > prefix.length && after.key.endsWith('/')
  const next = isFolder
    ? order.placeOf(after.key) + (isDescending ? '' : AFTER_ALL)
    : order.placeOfKey(after.key, isDescending)
  return next > start === isDescending ? start : next
}
