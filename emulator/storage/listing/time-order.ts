// Reads lists that are ordered by time (docs/wire/storage.md#lists). A folder is as old as the first object created in it.
// Lists by last change use the same age of folders, as upstream's list-v2 does.
import type { SystemDb } from '../../database/system-db/system-db.ts'
import type { ObjectRow } from '../objects/object-store.ts'
import {
  AFTER_ALL,
  type ListPlace,
  type ListScope,
  type SortTime,
  type TimeColumn,
} from './list-scope.ts'

export interface AgedKey {
  /** Full key. A folder has no slash at the end, because names are compared without it. */
  readonly name: string
  readonly instant: number
  readonly is_folder: 0 | 1
}

/** Entries with equal times are ordered by name. */
export type AgeReader = (
  column: SortTime,
  scope: ListScope,
  limit: number,
  after: ListPlace | undefined,
) => readonly AgedKey[]

type Params = [
  nameFrom: number,
  bucket: string,
  from: string,
  to: string,
  nameFrom: number,
  instant: number,
  name: string,
  limit: number,
]

export function createAgeReader(db: SystemDb): AgeReader {
  const prepare = (column: SortTime, isDescending: boolean) => {
    const direction = isDescending ? 'desc' : 'asc'
    return db.prepare<Params, AgedKey>(
      `with found as (
         select object_key, created_at, ${column} as instant,
           instr(substr(object_key, ?), '/') as slash
         from objects
         where bucket_id = ? and object_key >= ? and object_key < ?
       ), entries as (
         select substr(object_key, 1, ? + slash - 2) as name, min(created_at) as instant,
           1 as is_folder
         from found where slash > 0 group by 1
         union all
         select object_key, instant, 0 from found where slash = 0
       )
       select * from entries
       where (instant, name) ${isDescending ? '<' : '>'} (?, ?)
       order by instant ${direction}, name ${direction}
       limit ?`,
    )
  }
  const prepared = new Map<string, ReturnType<typeof prepare>>()
  return (column, { bucket, prefix, isDescending }, limit, after) => {
    const key = `${column} ${isDescending}`
    const statement = prepared.get(key) ?? prepare(column, isDescending)
    prepared.set(key, statement)
    const nameFrom = prefix.length + 1
    return statement.all(
      nameFrom,
      bucket,
      prefix,
      prefix + AFTER_ALL,
      nameFrom,
      after?.instant ?? (isDescending ? Number.MAX_SAFE_INTEGER : -1),
      after?.key.replace(/\/$/, '') ?? '',
      limit,
    )
  }
}

/** Objects with equal times are ordered by key. */
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

export interface FolderReader {
  /** Full keys of the folders, each with a slash at the end. */
  foldersIn(scope: ListScope): readonly string[]
}

export function createFolderReader(db: SystemDb): FolderReader {
  const query = db.prepare<
    [
      nameFrom: number,
      nameFrom: number,
      bucket: string,
      from: string,
      to: string,
      nameFrom: number,
      nameFrom: number,
      searchLength: number,
      search: string,
    ],
    { folder: string }
  >(
    `select distinct substr(object_key, 1, ? - 1 + instr(substr(object_key, ?), '/')) as folder
     from objects
     where bucket_id = ? and object_key >= ? and object_key < ?
       and instr(substr(object_key, ?), '/') > 0
       and lower(substr(object_key, ?, ?)) = ?
     order by folder`,
  )
  return {
    foldersIn: ({ bucket, prefix, search = '', isDescending }) => {
      const nameFrom = prefix.length + 1
      const found = query
        .all(
          nameFrom,
          nameFrom,
          bucket,
          prefix,
          prefix + AFTER_ALL,
          nameFrom,
          nameFrom,
          search.length,
          search.toLowerCase(),
        )
        .map(({ folder }) => folder)
      return isDescending ? found.reverse() : found
    },
  }
}
