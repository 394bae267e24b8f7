// The SQL of suggested grants. Pure.
import type { PrincipalRole } from '../../../core/principal.ts'
import { quoteIdentifier } from '../../../database/sql.ts'
import type { SecuredTable } from '../../tables/table.ts'

export interface Privilege {
  /** In upper case, e.g. `SELECT`. */
  readonly privilege: string
  /** Empty for the whole table. */
  readonly columns: readonly string[]
}

/** Whether a grant on the table would open every row, because no policy is checked. */
export function isUnprotected({ hasRowSecurity, kind }: SecuredTable): boolean {
  return !hasRowSecurity && (kind === 'table' || kind === 'partitioned_table')
}

/** Returns what has to run before a grant on the table. */
export function protection(table: SecuredTable): readonly string[] {
  return isUnprotected(table)
    ? [`alter table ${quoteIdentifier(table.name)} enable row level security;`]
    : []
}

export function grantSql(
  { name }: SecuredTable,
  role: PrincipalRole,
  privileges: readonly Privilege[],
): string {
  const list = privileges.map(({ columns, privilege }) => {
    const names = columns.map(quoteIdentifier).join(', ')
    return privilege.toLowerCase() + (names === '' ? '' : ` (${names})`)
  })
  return `grant ${list.join(', ')} on ${quoteIdentifier(name)} to ${role};`
}
