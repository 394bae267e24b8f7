// Proposes policies for a table, as starting points in the policy editor. They open a user's own rows, rows that another table
// links to users, public rows, or all rows. Pure.
import type { PolicyTemplate } from '../../../contract/policy-drafts.ts'
import { quoteIdentifier } from '../../../database/sql.ts'
import type { Membership } from '../../explain/suggested-fixes/memberships.ts'
import { freeName } from '../../explain/suggested-fixes/policy-changes.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { publicColumns, userColumns } from '../../tables/user-columns.ts'

type Facts = Pick<SecuredTable, 'columns' | 'foreignKeys' | 'policies'>
type Fields = Pick<PolicyTemplate['policy'], 'name' | 'command'> &
  Partial<Pick<PolicyTemplate['policy'], 'roles' | 'using' | 'check'>>

/** Maximum number of templates of each kind, for tables with many user columns or links. */
const MOST = 2

const USERS = ['authenticated'] as const
/** Lists the two roles, because `public` would include roles of the platform. */
const EVERYONE = ['anon', 'authenticated'] as const

/** @param links conditions that follow foreign keys from rows to users */
export function policyTemplates(
  table: Facts,
  links: readonly Membership[],
): readonly PolicyTemplate[] {
  const template = (title: string, { check = null, using = null, ...fields }: Fields) => ({
    title,
    policy: {
      permissive: true,
      roles: [...USERS],
      ...fields,
      name: freeName(table.policies, fields.name),
      using,
      check,
    },
  })
  const owned = userColumns(table)
    .slice(0, MOST)
    .flatMap(({ name }) => {
      // Uses a subquery, so that Postgres calls the function only once for each statement.
      const own = `${quoteIdentifier(name)} = (select auth.uid())`
      return [
        template(`Users read their own rows (${name})`, {
          name: 'users_read_own',
          command: 'select',
          using: own,
        }),
        template(`Users insert their own rows (${name})`, {
          name: 'users_insert_own',
          command: 'insert',
          check: own,
        }),
        template(`Users read and write their own rows (${name})`, {
          name: 'users_own',
          command: 'all',
          using: own,
          check: own,
        }),
      ]
    })
  const linked = links.slice(0, MOST).map(({ table: through, text }) =>
    template(`Users read rows that lead to them through ${through}`, {
      name: `users_read_by_${through}`,
      command: 'select',
      using: text,
    }),
  )
  const shown = publicColumns(table.columns)
    .slice(0, MOST)
    .map(({ name }) =>
      template(`Everyone reads rows with ${name}`, {
        name: 'everyone_reads_public',
        command: 'select',
        roles: [...EVERYONE],
        using: quoteIdentifier(name),
      }),
    )
  return [
    ...owned,
    ...linked,
    ...shown,
    template('Signed-in users read every row', {
      name: 'users_read_all',
      command: 'select',
      using: 'true',
    }),
    template('Everyone reads every row', {
      name: 'everyone_reads_all',
      command: 'select',
      roles: [...EVERYONE],
      using: 'true',
    }),
  ]
}
