// Lists the policy clauses that Postgres checks for a statement, each with the policies for the statement's command and role
// (Postgres: rowsecurity.c). Pure.
import type { ClauseVerdict, PolicyState, TruthValue } from '../../../contract/explain.ts'
import type { RowCommand } from '../../../contract/values.ts'
import type { PrincipalRole } from '../../../core/principal.ts'
import type { Policy } from '../../tables/table.ts'
import { allOf, anyOf } from './truth.ts'

export interface AskedPolicy {
  readonly name: string
  readonly permissive: boolean
  /** The policy's expression to evaluate. */
  readonly text: string
}

export interface AskedClause {
  readonly clause: ClauseVerdict['clause']
  readonly command: RowCommand
  readonly of: ClauseVerdict['of']
  /** Permissive policies first, then restrictive ones, each in Postgres's order of evaluation. */
  readonly policies: readonly AskedPolicy[]
}

/**
 * Lists the clauses of a statement. An UPDATE or DELETE is assumed to have a WHERE, so SELECT policies also apply. SELECT
 * policies of an UPDATE also apply to the new row. An INSERT is assumed to have no RETURNING.
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

/** Returns whether a policy applies to the role's statement, and if not, why. */
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
 * Combines the policies' values in the order of evaluation. Restrictive policies come first for old rows, and permissive
 * policies come first for new rows. The value is false if there is no permissive policy.
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

/** Conditions on old rows that Postgres adds to the statement, in its order. */
export function qualsOf({ policies }: AskedClause): readonly string[] {
  const permissive = policies.filter((policy) => policy.permissive).map(({ text }) => `(${text})`)
  const restrictive = policies.filter((policy) => !policy.permissive).map(({ text }) => text)
  return [...restrictive, permissive.length === 0 ? 'false' : permissive.join(' or ')]
}

// Postgres prepends each policy to its list, by name, and sorts only the restrictive ones (relcache.c, rowsecurity.c). So
// Postgres evaluates permissive policies in reverse order of their names.
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

/** Verb for each command, as sentences about a row use it. */
export const VERBS: Readonly<Record<RowCommand, string>> = {
  select: 'see',
  insert: 'insert',
  update: 'change',
  delete: 'delete',
}
