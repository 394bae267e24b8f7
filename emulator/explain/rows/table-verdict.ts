// What becomes of a table as a whole before any row is looked at: whether it is there, whether the role may touch it, and
// whether policies decide. Pure.
import type { Explanation, TableVerdict } from '../../contract/explain.ts'
import type { RowCommand } from '../../contract/values.ts'
import type { PrincipalRole } from '../../core/principal.ts'
import { quoteIdentifier } from '../../database/sql.ts'
import type { RoleAccess, SecuredTable } from '../../tables/table.ts'
import { type AskedClause, clausesOf } from './clauses.ts'

export interface TableQuestion {
  readonly relation: string
  /** `undefined` when the project has no such relation. */
  readonly table: SecuredTable | undefined
  readonly role: PrincipalRole
  readonly command: RowCommand
  /** INSERT and UPDATE: columns that are written. */
  readonly written: readonly string[]
}

type TableAnswer = Explanation['table']

/** Gives the first reason, in the order in which Postgres asks. */
export function judgeTable(question: TableQuestion): TableAnswer {
  const { table, relation, role } = question
  if (table === undefined)
    return answer(
      question,
      'unknown_relation',
      `There is no table or view ${relation} in this project.`,
    )
  if (table.isClosed)
    return answer(
      question,
      'closed_table',
      `${relation} is one of the platform’s own tables: it is closed to every credential of a project, service_role included.`,
    )
  const missing = missingPrivilege(table, question)
  if (missing !== undefined)
    return answer(question, 'missing_grant', missing.sentence, missing.suggestedFix)
  if (table.kind === 'view') return viewAnswer(question, table)
  if (table.kind === 'materialized_view')
    return answer(
      question,
      'rls_off',
      `${relation} is a materialised view: it keeps rows of its own, which no policy guards, so ${role} sees all of them.`,
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
      `Row-level security is off on ${relation}: every row is open to ${role}, whatever the policies say.`,
      `alter table ${quoteIdentifier(relation)} enable row level security;`,
    )
  if (access.bypasses)
    return answer(
      question,
      'bypasses_policies',
      `${role} bypasses row-level security: no policy is asked.`,
    )
  if (access.owns && !table.forcesRowSecurity)
    return answer(
      question,
      'bypasses_policies',
      `${role} has the rights of ${relation}’s owner, whom policies do not stop unless row-level security is forced.`,
      `alter table ${quoteIdentifier(relation)} force row level security;`,
    )
  const silent = clausesOf(table.policies, role, command, true).find(hasNoPermissive)
  if (silent === undefined)
    return answer(
      question,
      'policies_decide',
      `Policies decide, row by row, what ${role} may ${VERBS[command]}.`,
    )
  return answer(
    question,
    'no_policy',
    silence(question, table, silent),
    newPolicy(question, silent),
  )
}

const VERBS: Readonly<Record<RowCommand, string>> = {
  select: 'see',
  insert: 'insert',
  update: 'change',
  delete: 'delete',
}

function hasNoPermissive({ policies }: AskedClause): boolean {
  return policies.every(({ permissive }) => !permissive)
}

function silence(
  { relation, role }: TableQuestion,
  table: SecuredTable,
  clause: AskedClause,
): string {
  const command = clause.command.toUpperCase()
  const speaking = table.policies.filter(
    ({ command: of, permissive, roles }) =>
      permissive && !roles.includes('service_role') && (of === 'all' || of === clause.command),
  )
  const roles = [...new Set(speaking.flatMap((policy) => policy.roles))]
  const others =
    speaking.length > 0
      ? ` ${speaking.map(({ name }) => name).join(', ')} ${speaking.length === 1 ? 'speaks' : 'speak'} of it, but only to ${roles.join(', ')}.`
      : clause.policies.length > 0
        ? ' There are restrictive ones, but those only take away.'
        : ''
  return `Row-level security is on and no permissive policy of ${relation} speaks of ${command} for ${role}, so Postgres lets no row through.${others}`
}

function newPolicy({ relation, role }: TableQuestion, { command }: AskedClause): string {
  const name = quoteIdentifier(`${role}_${command}`)
  const condition = command === 'insert' ? 'with check (true)' : 'using (true)'
  return `create policy ${name} on ${quoteIdentifier(relation)} for ${command} to ${role} ${condition};`
}

function viewAnswer(question: TableQuestion, table: SecuredTable): TableAnswer {
  const { relation, role } = question
  if (table.securityInvoker)
    return answer(
      question,
      'view',
      `${relation} is a view with security_invoker: the tables behind it are read with ${role}’s own grants and policies.`,
    )
  const bypassed =
    table.bypassedTables.length === 0
      ? ''
      : ` The policies of ${table.bypassedTables.join(', ')} do not stop that owner.`
  return answer(
    question,
    'view',
    `${relation} is a view: the tables behind it are read with the rights of its owner, ${table.owner}, not with ${role}’s.${bypassed}`,
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
      sentence: `${role} has no USAGE on the schema ${table.schemaName}: it can name nothing in it.`,
      suggestedFix: null,
    }
  const lacks = (privilege: string, what: string): Missing => ({
    sentence: `permission denied for table ${relation}: ${role} has no ${privilege} on ${what}. Grants are asked before policies.`,
    suggestedFix: `grant ${privilege.toLowerCase()} on ${quoteIdentifier(relation)} to ${role};`,
  })
  const wanted = command.toUpperCase()
  const closed = written.filter((column) => !mayTouch(access, wanted, column))
  if (!mayTouchSome(access, wanted)) return lacks(wanted, 'the table')
  if (closed.length > 0) return lacks(wanted, `the column ${closed.join(', ')}`)
  if (command !== 'update' && command !== 'delete') return undefined
  const unread = table.key.filter((column) => !mayTouch(access, 'SELECT', column))
  if (unread.length === 0 && mayTouchSome(access, 'SELECT')) return undefined
  return lacks(
    'SELECT',
    `${unread.join(', ') || 'the table'}, which the condition of the statement reads`,
  )
}

function mayTouch(access: RoleAccess, privilege: string, column: string): boolean {
  return (
    access.privileges.includes(privilege) || access.columns[privilege]?.includes(column) === true
  )
}

function mayTouchSome(access: RoleAccess, privilege: string): boolean {
  return access.privileges.includes(privilege) || (access.columns[privilege]?.length ?? 0) > 0
}

/** Privileges as the wire tells them: `SELECT`, and `SELECT (name)` for a column that is granted alone. */
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
    suggested_fix: suggestedFix,
    rls_enabled: table?.hasRowSecurity ?? false,
    rls_forced: table?.forcesRowSecurity ?? false,
    grants: table === undefined ? [] : grantsOf(table.access[role]),
  }
}
