// Decides what applies to a table as a whole, before any row is checked. This is whether the table exists, whether the role has
// the grants, and whether policies apply. Pure.
import { type Explanation, fixMembers, type TableVerdict } from '../../../contract/explain.ts'
import type { RowCommand } from '../../../contract/values.ts'
import type { PrincipalRole } from '../../../core/principal.ts'
import { quoteIdentifier } from '../../../database/sql.ts'
import type { RoleAccess, SecuredTable } from '../../tables/table.ts'
import { publicColumns, userColumns } from '../../tables/user-columns.ts'
import { type AskedClause, clausesOf, VERBS } from './clauses.ts'
import { grantSql, protection } from './grants.ts'

export interface TableQuestion {
  readonly relation: string
  /** `undefined` when the project has no relation of this name. */
  readonly table: SecuredTable | undefined
  readonly role: PrincipalRole
  readonly command: RowCommand
  /** Columns that an INSERT or UPDATE writes. */
  readonly written: readonly string[]
}

type TableAnswer = Explanation['table']

/** Returns the first reason, in the order in which Postgres checks them. */
export function judgeTable(question: TableQuestion): TableAnswer {
  const { table, relation, role } = question
  if (table === undefined)
    return answer(question, 'unknown_relation', `The project has no table or view ${relation}.`)
  if (table.isClosed)
    return answer(
      question,
      'closed_table',
      `${relation} is one of the platform’s own tables. No credential of a project can read it, not even service_role.`,
    )
  const missing = missingPrivilege(table, question)
  if (missing !== undefined) {
    const { sentence, suggestedFix } = withNextRefusal(question, table, missing)
    return answer(question, 'missing_grant', sentence, suggestedFix)
  }
  if (table.kind === 'view') return viewAnswer(question, table)
  if (table.kind === 'materialized_view')
    return answer(
      question,
      'rls_off',
      `${relation} is a materialised view. It stores its own rows, to which no policy applies, so ${role} sees all of them.`,
    )
  return policyAnswer(question, table)
}

function policyAnswer(question: TableQuestion, table: SecuredTable): TableAnswer {
  const { relation, role, command } = question
  const access = table.access[role]
  if (!table.hasRowSecurity)
    return answer(
      question,
      'rls_off',
      `Row-level security is off on ${relation}, so ${role} can reach every row and the policies have no effect.`,
      `alter table ${quoteIdentifier(relation)} enable row level security;`,
    )
  if (access.bypasses)
    return answer(
      question,
      'bypasses_policies',
      `${role} bypasses row-level security, so no policy is checked.`,
    )
  if (access.owns && !table.forcesRowSecurity)
    return answer(
      question,
      'bypasses_policies',
      `${role} has the rights of ${relation}’s owner. Policies apply to the owner only when row-level security is forced.`,
      `alter table ${quoteIdentifier(relation)} force row level security;`,
    )
  const closed = clausesOf(table.policies, role, command, true).find(hasNoPermissive)
  if (closed === undefined)
    return answer(
      question,
      'policies_decide',
      `Policies decide for each row whether ${role} may ${VERBS[command]} it.`,
    )
  return answer(
    question,
    'no_policy',
    missingPolicy(question, table, closed),
    newPolicy(question, table, closed),
  )
}

function hasNoPermissive({ policies }: AskedClause): boolean {
  return policies.every(({ permissive }) => !permissive)
}

function missingPolicy(
  { relation, role }: TableQuestion,
  table: SecuredTable,
  clause: AskedClause,
): string {
  const command = clause.command.toUpperCase()
  const ofOthers = table.policies.filter(
    ({ command: of, permissive, roles }) =>
      permissive && !roles.includes('service_role') && (of === 'all' || of === clause.command),
  )
  const roles = [...new Set(ofOthers.flatMap((policy) => policy.roles))]
  const others =
    ofOthers.length > 0
      ? ` ${ofOthers.map(({ name }) => name).join(', ')} ${ofOthers.length === 1 ? 'allows' : 'allow'} it for ${roles.join(', ')} only.`
      : clause.policies.length > 0
        ? ' Its restrictive policies can only exclude rows.'
        : ''
  const todo =
    narrowColumn(role, table) !== undefined || role === 'service_role'
      ? ''
      : role === 'anon'
        ? ` A policy for anon opens rows to everybody with the public key; let it test a column such as is_public.`
        : ` No column of ${relation} names a user. Add one, such as owner_id, and write a policy that compares it with auth.uid().`
  return `Row-level security is on, and no permissive policy of ${relation} allows ${role} to ${command}. So Postgres allows no row.${others}${todo}`
}

/** A policy for rows of the user, or for public rows; `null` when no column identifies such rows. */
function newPolicy(
  { relation, role }: TableQuestion,
  table: SecuredTable,
  { command }: AskedClause,
): string | null {
  const column = narrowColumn(role, table)
  if (column === undefined) return null
  const name = quoteIdentifier(`${role}_${command}`)
  const value = role === 'anon' ? column : `${column} = auth.uid()`
  const condition = command === 'insert' ? `with check (${value})` : `using (${value})`
  return `create policy ${name} on ${quoteIdentifier(relation)} for ${command} to ${role} ${condition};`
}

function narrowColumn(role: PrincipalRole, table: SecuredTable): string | undefined {
  const [first] = role === 'anon' ? publicColumns(table.columns) : userColumns(table)
  return first && quoteIdentifier(first.name)
}

function viewAnswer(question: TableQuestion, table: SecuredTable): TableAnswer {
  const { relation, role } = question
  if (table.securityInvoker)
    return answer(
      question,
      'view',
      `${relation} is a view with security_invoker. Its tables are read with the grants and policies of ${role}.`,
    )
  const bypassed =
    table.bypassedTables.length === 0
      ? ''
      : ` The policies of ${table.bypassedTables.join(', ')} do not apply to that owner.`
  return answer(
    question,
    'view',
    `${relation} is a view. Its tables are read with the rights of its owner ${table.owner}, not with those of ${role}.${bypassed}`,
    bypassed === ''
      ? null
      : `alter view ${quoteIdentifier(relation)} set (security_invoker = true);`,
  )
}

interface Missing {
  readonly sentence: string
  readonly suggestedFix: string | null
}

function missingPrivilege(table: SecuredTable, question: TableQuestion): Missing | undefined {
  const { relation, role, command, written } = question
  const access = table.access[role]
  if (!access.schema)
    return {
      sentence: `${role} has no USAGE on the schema ${table.schemaName}, so it can use nothing in it.`,
      suggestedFix: null,
    }
  const lacks = (privilege: string, what: string, columns: readonly string[]): Missing => ({
    sentence: `permission denied for table ${relation}: ${role} has no ${privilege} on ${what}. Postgres checks grants before policies.`,
    suggestedFix: [...protection(table), grantSql(table, role, [{ privilege, columns }])].join(
      '\n',
    ),
  })
  const wanted = command.toUpperCase()
  const closed = written.filter((column) => !mayTouch(access, wanted, column))
  if (!mayTouchSome(access, wanted)) return lacks(wanted, 'the table', written)
  if (closed.length > 0) return lacks(wanted, `the column ${closed.join(', ')}`, closed)
  if (command !== 'update' && command !== 'delete') return undefined
  const unread = table.key.filter((column) => !mayTouch(access, 'SELECT', column))
  if (unread.length === 0 && mayTouchSome(access, 'SELECT')) return undefined
  return lacks(
    'SELECT',
    `${unread.join(', ') || 'the table'}, and the condition of the statement reads it`,
    unread,
  )
}

/** Extends the answer when a grant alone does not help, because no policy would allow a row afterwards. */
function withNextRefusal(question: TableQuestion, table: SecuredTable, missing: Missing): Missing {
  const { role, command, relation } = question
  if (missing.suggestedFix === null || !table.hasRowSecurity) return missing
  const next = policyAnswer(question, table)
  if (next.verdict !== 'no_policy') return missing
  const { sentence, suggestedFix } = missing
  return {
    sentence: `${sentence} With the grant, policies refuse next: no permissive policy of ${relation} allows ${role} to ${command.toUpperCase()}.`,
    suggestedFix: next.suggested_fix && `${suggestedFix}\n${next.suggested_fix}`,
  }
}

function mayTouch(access: RoleAccess, privilege: string, column: string): boolean {
  return (
    access.privileges.includes(privilege) || access.columns[privilege]?.includes(column) === true
  )
}

function mayTouchSome(access: RoleAccess, privilege: string): boolean {
  return access.privileges.includes(privilege) || (access.columns[privilege]?.length ?? 0) > 0
}

/** Lists privileges for the response: `SELECT` for the whole table, `SELECT (name)` for a single column. */
export function grantsOf({ privileges, columns }: RoleAccess): readonly string[] {
  const ofColumns = Object.entries(columns).flatMap(([privilege, names]) =>
    names.map((name) => `${privilege} (${name})`),
  )
  return [...privileges, ...ofColumns]
}

function answer(
  { table, role }: TableQuestion,
  verdict: TableVerdict,
  sentence: string,
  suggestedFix: string | null = null,
): TableAnswer {
  return {
    verdict,
    sentence,
    ...fixMembers(suggestedFix),
    rls_enabled: table?.hasRowSecurity ?? false,
    rls_forced: table?.forcesRowSecurity ?? false,
    grants: table === undefined ? [] : grantsOf(table.access[role]),
  }
}
