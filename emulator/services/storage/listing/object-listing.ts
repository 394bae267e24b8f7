// Reads pages of a bucket's content (docs/wire/storage.md#lists). Each list reads an index and skips the content of folders. The
// cost of a page therefore depends on the page size, not on the size of the bucket.

import { type EpochMillis, epochMillis } from '../../../core/time.ts'
import type { SystemDb } from '../../../database/system-db/system-db.ts'
import { type ObjectRow, objectOf, type StoredObject } from '../objects/object-store.ts'
import { createKeyOrders, type KeyOrder } from './key-order.ts'
import { type FoundKey, walkKeys } from './key-walk.ts'
import type { ListPlace, ListScope, SortTime, TimeColumn } from './list-scope.ts'
import { createAgeReader, createFolderReader, createTimeReader } from './time-order.ts'

/**
 * `key` is the full key in the bucket; the key of a folder ends in a slash. `madeAt` is the time when the folder's first object
 * was created. Only `byAge` sets `madeAt`.
 */
export type ListEntry =
  | { readonly kind: 'folder'; readonly key: string; readonly madeAt?: EpochMillis | undefined }
  | { readonly kind: 'object'; readonly key: string; readonly stored: StoredObject }

export interface ListWindow {
  readonly offset?: number
  readonly limit: number
  /** The page begins after this entry. */
  readonly after?: ListPlace | undefined
}

export interface ObjectListing {
  /** Lists in byte order of the keys. */
  byKey(scope: ListScope, window: ListWindow): readonly ListEntry[]
  /** Lists in order of the keys, ignoring case. */
  byFoldedKey(scope: ListScope, window: ListWindow): readonly ListEntry[]
  /** Lists the folders by name, then the objects by time. Objects with equal times are ordered by key. */
  byTime(column: TimeColumn, scope: ListScope, window: ListWindow): readonly ListEntry[]
  /**
   * Lists folders and objects mixed, ordered by time. A folder is as old as the first object created in it. Entries with equal
   * times are ordered by name.
   */
  byAge(
    column: SortTime,
    scope: ListScope,
    window: Omit<ListWindow, 'offset'>,
  ): readonly ListEntry[]
}

export function createObjectListing(db: SystemDb): ObjectListing {
  const orders = createKeyOrders(db)
  const foldersIn = createFolderReader(db)
  const objectsByTime = createTimeReader(db)
  const keysByAge = createAgeReader(db)
  // One statement reads the whole page. The cross join returns the rows in the order of the keys.
  const byKeys = db.prepare<[string, string], ObjectRow>(
    `select o.* from json_each(?) k
     cross join objects o on o.bucket_id = ? and o.object_key = k.value`,
  )

  function entriesOf({ bucket }: ListScope, found: readonly FoundKey[]): ListEntry[] {
    const keys = found.filter(({ isFolder }) => !isFolder).map(({ key }) => key)
    const rows = byKeys.all(JSON.stringify(keys), bucket).values()
    const entries: ListEntry[] = []
    for (const { key, isFolder } of found) {
      const row = isFolder ? undefined : rows.next().value
      if (row !== undefined) entries.push({ kind: 'object', key, stored: objectOf(row) })
      else if (isFolder) entries.push({ kind: 'folder', key })
    }
    return entries
  }
  const listBy = (order: KeyOrder, scope: ListScope, { offset = 0, limit, after }: ListWindow) =>
    entriesOf(scope, [...windowOf(walkKeys(order, scope, after), offset, limit)])

  return {
    byKey: (scope, window) => listBy(orders.exact, scope, window),
    byFoldedKey: (scope, window) => listBy(orders.folded, scope, window),
    byTime: (column, scope, { offset = 0, limit, after }) => {
      const names = scope.hasFolders ? foldersIn(scope) : []
      const entries: ListEntry[] = names
        .slice(offset, offset + limit)
        .map((key) => ({ kind: 'folder', key }))
      const rest = { offset: Math.max(offset - names.length, 0), limit: limit - entries.length }
      for (const row of objectsByTime(column, scope, rest, after))
        entries.push({ kind: 'object', key: row.object_key, stored: objectOf(row) })
      return entries
    },
    byAge: (column, scope, { limit, after }) => {
      const found = keysByAge(column, scope, limit, after)
      const madeAt = new Map(found.map(({ name, instant }) => [`${name}/`, epochMillis(instant)]))
      const keys = found.map(({ name, is_folder }) =>
        is_folder === 1 ? { key: `${name}/`, isFolder: true } : { key: name, isFolder: false },
      )
      return entriesOf(scope, keys).map((entry) =>
        entry.kind === 'folder' ? { ...entry, madeAt: madeAt.get(entry.key) } : entry,
      )
    },
  }
}

function* windowOf<Item>(items: Iterable<Item>, offset: number, limit: number): Generator<Item> {
  let index = 0
  for (const item of items) {
    if (index >= offset) yield item
    index += 1
    if (index >= offset + limit) return
  }
}
