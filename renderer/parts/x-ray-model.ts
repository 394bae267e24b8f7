// Prepares an X-ray for display. Each clause becomes a tree: at least one permissive policy (OR) and every restrictive policy
// (AND) must be true. The tree marks the policies that decided the verdict. Pure.
import type {
  ClauseVerdict,
  Explanation,
  Operand,
  PolicyState,
  PolicyVerdict,
  TruthValue,
} from '../../emulator/contract/explain.ts'
import type { RowCommand } from '../../emulator/contract/values.ts'

export interface XRayClause {
  /** Heading of the clause, e.g. `using, on the existing row`. */
  readonly title: string
  readonly clause: ClauseVerdict['clause']
  readonly value: TruthValue
  readonly allowed: boolean
  /** Permissive policies, joined with OR: at least one must be true. */
  readonly permissive: XRayGroup
  /** Restrictive policies, joined with AND: all must be true. */
  readonly restrictive: XRayGroup
}

export interface XRayGroup {
  /** Three-valued. Without policies, OR is false and AND is true. */
  readonly value: TruthValue
  readonly decided: boolean
  readonly policies: readonly PolicyVerdict[]
}

export interface SkippedPolicy {
  readonly name: string
  /** Why the policy does not apply, e.g. `is for delete only`. */
  readonly because: string
}

/** Builds the tree of one clause. */
export function xRayClause(verdict: ClauseVerdict, asked: RowCommand): XRayClause {
  const permissive = verdict.policies.filter((policy) => policy.permissive)
  const restrictive = verdict.policies.filter((policy) => !policy.permissive)
  const or = group(permissive, anyOf(permissive.map(({ value }) => value)))
  const and = group(restrictive, allOf(restrictive.map(({ value }) => value)))
  return {
    title: clauseTitle(verdict, asked),
    clause: verdict.clause,
    value: verdict.value,
    allowed: verdict.allowed,
    permissive: or,
    restrictive: and,
  }
}

/** Lists the policies that don't apply, each with the reason. */
export function skippedPolicies(explanation: Explanation): readonly SkippedPolicy[] {
  return explanation.policies
    .filter(({ applies }) => !applies)
    .map((policy) => ({ name: policy.name, because: skipReason(policy) }))
}

function skipReason(policy: PolicyState): string {
  if (policy.skipped_because === 'role') return `is for ${policy.roles.join(', ')} only`
  if (policy.skipped_because === 'command') return `is for ${policy.command} only`
  return 'does not apply'
}

/** Names the source of a value in one word. */
export function originOf(operand: Operand): string {
  switch (operand.from) {
    case 'row':
      return 'row'
    case 'identity':
      return 'identity'
    case 'constant':
      return 'constant'
    case 'expression':
      return 'computed'
  }
}

/** SQL's OR over any number of values. The result is an error when a value is an error and no value is true. */
export function anyOf(values: readonly TruthValue[]): TruthValue {
  if (values.includes('true')) return 'true'
  if (values.includes('error')) return 'error'
  return values.includes('null') ? 'null' : 'false'
}

/** SQL's AND over any number of values. The result is an error when a value is an error and no value is false. */
export function allOf(values: readonly TruthValue[]): TruthValue {
  if (values.includes('false')) return 'false'
  if (values.includes('error')) return 'error'
  return values.includes('null') ? 'null' : 'true'
}

function group(policies: readonly PolicyVerdict[], value: TruthValue): XRayGroup {
  return { value, decided: policies.some(({ decided }) => decided), policies }
}

function clauseTitle(verdict: ClauseVerdict, asked: RowCommand): string {
  const row = verdict.of === 'old_row' ? 'the existing row' : 'the new row'
  const whose = verdict.command === asked ? '' : ` of ${verdict.command}`
  return `${verdict.clause}${whose}, on ${row}`
}
