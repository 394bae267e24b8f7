// The folders of one level, all of them: what lists by time begin with (docs/wire/storage.md).
import type { SystemDb } from '../../database/system-db/system-db.ts'
import { AFTER_ALL, type ListScope } from './list-scope.ts'

export interface FolderReader {
  /** Whole, with the slash at their end. */
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
