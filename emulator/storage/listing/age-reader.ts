// Folders and objects of one level, ordered by age together. A folder has the age of the first object made in it, also in a
// list by the last change, as in upstream's list-v2.
import type { SystemDb } from '../../database/system-db/system-db.ts'
import { AFTER_ALL, type ListPlace, type ListScope, type SortTime } from './list-scope.ts'

export interface AgedKey {
  /** Whole; a folder's without the slash at its end, as it is ordered. */
  readonly name: string
  readonly instant: number
  readonly is_folder: 0 | 1
}

/** Entries of the same instant are in the order of their names. */
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
