// Finds the columns of a table that contain the id of a row's user, or that mark a row as public. Suggested policies compare
// these columns. Pure.
import { USERS_TABLE } from '../../database/tenant-schema/auth-table-columns.ts'
import type { Column, Table } from './table.ts'

const USER_NAME =
  /(^|_)(user|owner|author|creator|member|account|profile|keeper)(_?u?id)?$|^(uid|created_by)$/
const PUBLIC_FLAG = /^(is_|has_been_)?(public|published|visible|listed)$/

/** Returns the columns that hold the id of a user. */
export function userColumns({
  columns,
  foreignKeys,
}: Pick<Table, 'columns' | 'foreignKeys'>): readonly Column[] {
  return columns.filter(({ name, type }) => {
    if (type !== 'uuid') return false
    const key = foreignKeys.find((one) => one.columns.length === 1 && one.columns[0] === name)
    return key === undefined ? USER_NAME.test(name) : key.target_table === USERS_TABLE
  })
}

/** Returns the flags that mark a row as public. */
export function publicColumns(columns: readonly Column[]): readonly Column[] {
  return columns.filter(({ name, type }) => type === 'boolean' && PUBLIC_FLAG.test(name))
}
