// Objects of one level in the order of an instant (docs/wire/storage.md#lists).
import type { SystemDb } from '../../database/system-db/system-db.ts'
import type { ObjectRow } from '../objects/object-store.ts'
import { AFTER_ALL, type ListPlace, type ListScope, type TimeColumn } from './list-scope.ts'

/** Objects of the same instant are in the order of their keys. */
export type TimeReader = (
  column: TimeColumn,
  scope: ListScope,
  window: { readonly offset: number; readonly limit: number },
  after: ListPlace | undefined,
) => ObjectRow[]

export function createTimeReader(db: SystemDb): TimeReader {
  type Params = [
    bucket: string,
    from: string,
    to: string,
    isFlat: number,
    nameFrom: number,
    nameFrom: number,
    searchLength: number,
    search: string,
    instant: number,
    key: string,
    limit: number,
    offset: number,
  ]
  const prepare = (column: TimeColumn, isDescending: boolean) => {
    const direction = isDescending ? 'desc' : 'asc'
    return db.prepare<Params, ObjectRow>(
      `select * from objects
       where bucket_id = ? and object_key >= ? and object_key < ?
         and (? or instr(substr(object_key, ?), '/') = 0)
         and lower(substr(object_key, ?, ?)) = ?
         and (${column}, object_key) ${isDescending ? '<' : '>'} (?, ?)
       order by ${column} ${direction}, object_key ${direction}
       limit ? offset ?`,
    )
  }
  const prepared = new Map<string, ReturnType<typeof prepare>>()
  return (column, scope, { offset, limit }, after) => {
    const { bucket, prefix, search = '', hasFolders, isDescending } = scope
    if (limit === 0) return []
    const name = `${column} ${isDescending}`
    const statement = prepared.get(name) ?? prepare(column, isDescending)
    prepared.set(name, statement)
    const start = isDescending ? Number.MAX_SAFE_INTEGER : -1
    return statement.all(
      bucket,
      prefix,
      prefix + AFTER_ALL,
      hasFolders ? 0 : 1,
      prefix.length + 1,
      prefix.length + 1,
      search.length,
      search.toLowerCase(),
      after?.instant ?? start,
      after?.instant === undefined ? AFTER_ALL : after.key,
      limit,
      offset,
    )
  }
}
