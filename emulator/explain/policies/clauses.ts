// The clauses of policies that Postgres checks for a statement, and in each clause the policies for its command and role
// (Postgres: rowsecurity.c). Pure.
import type { ClauseVerdict, PolicyState, TruthValue } from '../../contract/explain.ts'
import type { RowCommand } from '../../contract/values.ts'
import type { PrincipalRole } from '../../core/principal.ts'
import type { Policy } from '../../tables/table.ts'
import { allOf, anyOf } from './truth.ts'

export interface AskedPolicy {
  readonly name: string
  readonly permissive: boolean
  /** The expression that is evaluated. */
  readonly text: string
}

export interface AskedClause {
  readonly clause: ClauseVerdict['clause']
  readonly command: RowCommand
  readonly of: ClauseVerdict['of']
  /** Permissive ones first, each kind in the order of evaluation. */
  readonly policies: readonly AskedPolicy[]
}

/**
 * The clauses of a statement. An UPDATE or DELETE is assumed to have a WHERE, so the policies of SELECT apply, too; for an
 * UPDATE also to the new row. An INSERT is assumed to have no RETURNING.
 * @param hasNewRow whether the new row of an UPDATE is known
 */
export function clausesOf(
  policies: readonly Policy[],
  role: PrincipalRole,
  command: RowCommand,
  hasNewRow: boolean,
): readonly AskedClause[] {
  const ask = (
    clause: AskedClause['clause'],
    of: AskedClause['of'],
    asked: RowCommand,
  ): AskedClause => ({
    clause,
    command: asked,
    of,
    policies: inOrder(policies).flatMap((policy) => askedPolicy(policy, role, asked, clause)),
  })
  switch (command) {
    case 'select':
      return [ask('using', 'old_row', 'select')]
    case 'insert':
      return [ask('check', 'new_row', 'insert')]
    case 'delete':
      return [ask('using', 'old_row', 'delete'), ask('using', 'old_row', 'select')]
    case 'update': {
      const old = [ask('using', 'old_row', 'update'), ask('using', 'old_row', 'select')]
      if (!hasNewRow) return old
      return [...old, ask('check', 'new_row', 'update'), ask('using', 'new_row', 'select')]
    }
  }
}

/** How a policy relates to a statement of the role. */
export function policyState(
  { name, permissive, command, roles, using, check, appliesTo }: Policy,
  role: PrincipalRole,
  asked: RowCommand,
): PolicyState {
  const reads = asked === 'update' || asked === 'delete'
  const isMeant = isFor(command, asked) || (reads && command === 'select')
  const skipped = isMeant ? (appliesTo.includes(role) ? null : 'role') : 'command'
  return {
    name,
    permissive,
    command,
    roles,
    using,
    check,
    applies: skipped === null,
    skipped_because: skipped,
  }
}

/**
 * Joins the policies' values in the order of evaluation: for old rows restrictive policies first, for new rows permissive
 * ones first. Without a permissive policy the value is false.
 */
export function clauseValue(
  { policies, of }: AskedClause,
  truthFor: (policy: AskedPolicy) => TruthValue,
): TruthValue {
  const permissive = policies.filter((policy) => policy.permissive)
  if (permissive.length === 0) return 'false'
  const some = anyOf(permissive.map(truthFor))
  const restrictive = policies.filter((policy) => !policy.permissive).map(truthFor)
  return allOf(of === 'old_row' ? [...restrictive, some] : [some, ...restrictive])
}

/** The conditions that Postgres adds to a statement for old rows, in its order. */
export function qualsOf({ policies }: AskedClause): readonly string[] {
  const permissive = policies.filter((policy) => policy.permissive).map(({ text }) => `(${text})`)
  const restrictive = policies.filter((policy) => !policy.permissive).map(({ text }) => text)
  return [...restrictive, permissive.length === 0 ? 'false' : permissive.join(' or ')]
}

// Postgres builds its list of policies from the front, by name, and sorts only the restrictive ones (relcache.c,
// rowsecurity.c). So the last permissive policy by name is evaluated first.
function inOrder(policies: readonly Policy[]): readonly Policy[] {
  const permissive = policies.filter((policy) => policy.permissive).reverse()
  return [...permissive, ...policies.filter((policy) => !policy.permissive)]
}

function askedPolicy(
  policy: Policy,
  role: PrincipalRole,
  command: RowCommand,
  clause: AskedClause['clause'],
): readonly AskedPolicy[] {
  if (!isFor(policy.command, command) || !policy.appliesTo.includes(role)) return []
  const text = clause === 'check' ? (policy.check ?? policy.using) : policy.using
  return text === null ? [] : [{ name: policy.name, permissive: policy.permissive, text }]
}

function isFor(command: Policy['command'], asked: RowCommand): boolean {
  return command === 'all' || command === asked
}

/** What a role may do with a row by each command, in sentences. */
export const VERBS: Readonly<Record<RowCommand, string>> = {
  select: 'see',
  insert: 'insert',
  update: 'change',
  delete: 'delete',
}
