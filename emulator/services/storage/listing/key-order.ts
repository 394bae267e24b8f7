// Two sort orders for keys, each with its own index (docs/wire/storage.md#keys). Keys are ASCII, so SQLite's `lower` and
// JavaScript's `toLowerCase` give the same result.
import type { SystemDb } from '../../../database/system-db/system-db.ts'
import { AFTER_ALL, type ListScope } from './list-scope.ts'

/**
 * Sorts before every character that a key may contain. This character separates the lower-case key from the key itself in the
 * index.
 */
const BEFORE_ALL = '\x01'

/**
 * A sort order of keys. A place is a text that SQLite compares with the index. The place of a text comes before every key that
 * begins with that text.
 */
export interface KeyOrder {
  placeOf(text: string): string
  /** The place from which `read` continues after this key. */
  placeOfKey(key: string, isDescending: boolean): string
  /**
   * Reads at most `count` keys. Reads upwards from `place`, or downwards from just before `place` when `isDescending` is true.
   */
  read(bucket: string, place: string, count: number, isDescending: boolean): string[]
  /**
   * Returns all folders with the same place as `folder`, including `folder` itself. The folded order gives `A/` and `a/` the
   * same place.
   */
  variantsOf(scope: ListScope, folder: string): readonly string[]
}

type Reader = (bucket: string, place: string, count: number, isDescending: boolean) => string[]

export function createKeyOrders(db: SystemDb): {
  readonly exact: KeyOrder
  readonly folded: KeyOrder
} {
  return {
    exact: {
      placeOf: (text) => text,
      placeOfKey: (key, isDescending) => (isDescending ? key : key + BEFORE_ALL),
      read: createReader(db, 'object_key'),
      variantsOf: (_scope, folder) => [folder],
    },
    folded: createFoldedOrder(db),
  }
}

// SQLite uses the index objects_by_folded_key only when this expression equals the index's expression in storage-schema.ts.
const FOLDED = 'lower(object_key) || char(1) || object_key'

function createFoldedOrder(db: SystemDb): KeyOrder {
  const variants = db.prepare<[number, string, string, string], { folder: string }>(
    `select distinct substr(object_key, 1, ?) as folder from objects
     where bucket_id = ? and ${FOLDED} >= ? and ${FOLDED} < ? order by folder`,
  )
  const otherKey = db.prepare<[string, string, string, string, string], { object_key: string }>(
    `select object_key from objects
     where bucket_id = ? and ${FOLDED} >= ? and ${FOLDED} < ?
       and (object_key < ? or object_key >= ?) limit 1`,
  )
  const placeOf = (text: string): string => text.toLowerCase()
  return {
    placeOf,
    placeOfKey: (key, isDescending) =>
      placeOf(key) + BEFORE_ALL + key + (isDescending ? '' : BEFORE_ALL),
    read: createReader(db, FOLDED),
    variantsOf: ({ bucket, prefix, search = '', isDescending }, folder) => {
      const wanted = prefix + search
      const from = placeOf(wanted.length > folder.length ? wanted : folder)
      const to = from + AFTER_ALL
      // Fast path: usually no other folder has the same place.
      if (otherKey.get(bucket, from, to, folder, folder + AFTER_ALL) === undefined) return [folder]
      const found = variants
        .all(folder.length, bucket, from, to)
        .map((row) => row.folder)
        .filter((name) => name.startsWith(prefix))
      return isDescending ? found.reverse() : found
    },
  }
}

function createReader(db: SystemDb, expression: string): Reader {
  const prepare = (comparison: string, direction: string) =>
    db.prepare<[string, string, number], { object_key: string }>(
      `select object_key from objects where bucket_id = ? and ${expression} ${comparison} ?
       order by ${expression} ${direction} limit ?`,
    )
  const upwards = prepare('>=', 'asc')
  const downwards = prepare('<', 'desc')
  return (bucket, place, count, isDescending) =>
    (isDescending ? downwards : upwards)
      .all(bucket, place, count)
      .map(({ object_key }) => object_key)
}
