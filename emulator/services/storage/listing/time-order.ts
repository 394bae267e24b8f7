// Reads lists that are ordered by time (docs/wire/storage.md#lists). A folder is as old as the first object created in it.
// Lists by last change use the same age of folders, as upstream's list-v2 does.
import type { SystemDb } from '../../../database/system-db/system-db.ts'
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

type Params = (string | number)[]

/** Prepares one statement for each column and direction, at its first use. */
function statements<Column extends string, Statement>(
  prepare: (column: Column, direction: 'asc' | 'desc', comparison: '<' | '>') => Statement,
): (column: Column, isDescending: boolean) => Statement {
  const prepared = new Map<string, Statement>()
  return (column, isDescending) => {
    const name = `${column} ${isDescending}`
    const statement =
      prepared.get(name) ??
      (isDescending ? prepare(column, 'desc', '<') : prepare(column, 'asc', '>'))
    prepared.set(name, statement)
    return statement
  }
}

/** A time before all entries, in the direction of the list. */
function startOf({ isDescending }: ListScope): number {
  return isDescending ? Number.MAX_SAFE_INTEGER : -1
}

export function createAgeReader(db: SystemDb): AgeReader {
  const statementOf = statements((column: SortTime, direction, comparison) =>
    db.prepare<Params, AgedKey>(
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
       where (instant, name) ${comparison} (?, ?)
       order by instant ${direction}, name ${direction}
       limit ?`,
    ),
  )
  return (column, scope, limit, after) => {
    const { bucket, prefix } = scope
    const nameFrom = prefix.length + 1
    const last = [after?.instant ?? startOf(scope), after?.key.replace(/\/$/, '') ?? '']
    const params = [nameFrom, bucket, prefix, prefix + AFTER_ALL, nameFrom, ...last, limit]
    return statementOf(column, scope.isDescending).all(...params)
  }
}

/** The keys that a list includes, apart from its folders. `scopeParams` returns the parameters. */
const IN_SCOPE = `bucket_id = ? and object_key >= ? and object_key < ?
  and lower(substr(object_key, ?, ?)) = ?`

function scopeParams({ bucket, prefix, search = '' }: ListScope): Params {
  const searched = [prefix.length + 1, search.length, search.toLowerCase()]
  return [bucket, prefix, prefix + AFTER_ALL, ...searched]
}

/** Objects with equal times are ordered by key. */
export type TimeReader = (
  column: TimeColumn,
  scope: ListScope,
  window: { readonly offset: number; readonly limit: number },
  after: ListPlace | undefined,
) => ObjectRow[]

export function createTimeReader(db: SystemDb): TimeReader {
  const statementOf = statements((column: TimeColumn, direction, comparison) =>
    db.prepare<Params, ObjectRow>(
      `select * from objects
       where ${IN_SCOPE} and (? or instr(substr(object_key, ?), '/') = 0)
         and (${column}, object_key) ${comparison} (?, ?)
       order by ${column} ${direction}, object_key ${direction}
       limit ? offset ?`,
    ),
  )
  return (column, scope, { offset, limit }, after) => {
    if (limit === 0) return []
    const { prefix, hasFolders, isDescending } = scope
    const last =
      after?.instant === undefined ? [startOf(scope), AFTER_ALL] : [after.instant, after.key]
    const params = [...scopeParams(scope), hasFolders ? 0 : 1, prefix.length + 1, ...last]
    return statementOf(column, isDescending).all(...params, limit, offset)
  }
}

/** Returns the full keys of the folders, each with a slash at the end. */
export type FolderReader = (scope: ListScope) => readonly string[]

export function createFolderReader(db: SystemDb): FolderReader {
  const query = db.prepare<Params, { folder: string }>(
    `select distinct substr(object_key, 1, ? - 1 + instr(substr(object_key, ?), '/')) as folder
     from objects
     where ${IN_SCOPE} and instr(substr(object_key, ?), '/') > 0
     order by folder`,
  )
  return (scope) => {
    const nameFrom = scope.prefix.length + 1
    const found = query
      .all(nameFrom, nameFrom, ...scopeParams(scope), nameFrom)
      .map(({ folder }) => folder)
    return scope.isDescending ? found.reverse() : found
  }
}
