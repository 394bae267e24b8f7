// Converts a condition to a policy change: a new policy, or an OR added to the policies that refuse. Returns the SQL, and the
// table with the changed policies. Pure.
import type { ClauseVerdict } from '../../../contract/explain.ts'
import type { RowCommand } from '../../../contract/values.ts'
import type { PrincipalRole } from '../../../core/principal.ts'
import { quoteIdentifier } from '../../../database/sql.ts'
import type { Policy, SecuredTable } from '../../tables/table.ts'
import { VERBS } from '../policies/clauses.ts'
import type { Condition } from './conditions.ts'

export interface PolicyChange {
  readonly title: string
  readonly sql: readonly string[]
  readonly facts: SecuredTable
}

interface Alteration {
  using: boolean
  check: boolean
}

interface Plan {
  readonly altered: Map<string, Alteration>
  /** Clauses of a new policy, by command. */
  readonly added: Map<RowCommand, Alteration>
}

/**
 * @param edit whether to add a policy or to widen existing ones
 * @returns `undefined` when no policy can be widened
 */
export function policyChange(
  facts: SecuredTable,
  role: PrincipalRole,
  refusing: readonly ClauseVerdict[],
  condition: Condition,
  edit: 'new' | 'alter',
): PolicyChange | undefined {
  const plan: Plan = { altered: new Map(), added: new Map() }
  const commands = new Map(facts.policies.map(({ command, name }) => [name, command]))
  for (const clause of refusing)
    if (!planFor(plan, clause, edit, (name) => commands.get(name))) return undefined
  const policies = facts.policies.map((policy) => {
    const alteration = plan.altered.get(policy.name)
    return alteration === undefined ? policy : alter(policy, alteration, condition)
  })
  const added = [...plan.added].map(([command, clauses]) =>
    newPolicy([...facts.policies], role, command, clauses, condition),
  )
  const altered = policies.filter((policy) => plan.altered.has(policy.name))
  return {
    title: titleOf(facts, role, [...plan.altered.keys()], added, condition),
    sql: [
      ...altered.map((policy) => alterSql(facts, policy, plan.altered.get(policy.name))),
      ...added.map((policy) => createSql(facts, policy)),
    ],
    facts: { ...facts, policies: [...policies, ...added] },
  }
}

function planFor(
  { altered, added }: Plan,
  clause: ClauseVerdict,
  edit: 'new' | 'alter',
  commandOf: (policy: string) => Policy['command'] | undefined,
): boolean {
  const note = <Key>(map: Map<Key, Alteration>, key: Key): void => {
    const known = map.get(key) ?? { using: false, check: false }
    known[clause.clause] = true
    map.set(key, known)
  }
  const permissive = clause.policies.filter((policy) => policy.permissive)
  if (!permissive.some(({ value }) => value === 'true')) {
    // Chooses no policy for all commands, because widening it would open writing as well as reading.
    const chosen = permissive.find(
      ({ name, value }) => value !== 'error' && commandOf(name) === clause.command,
    )
    if (edit === 'new') note(added, clause.command)
    else if (chosen === undefined) return false
    else note(altered, chosen.name)
  }
  for (const policy of clause.policies)
    if (!policy.permissive && policy.value !== 'true') note(altered, policy.name)
  return true
}

// Postgres applies USING to new rows, too, if a policy has no WITH CHECK.
function alter(policy: Policy, { using, check }: Alteration, { text }: Condition): Policy {
  const or = (expression: string | null) => `(${expression ?? 'false'}) or (${text})`
  return {
    ...policy,
    using: using ? or(policy.using) : policy.using,
    check: check ? or(policy.check ?? policy.using) : policy.check,
  }
}

function newPolicy(
  known: readonly Policy[],
  role: PrincipalRole,
  command: RowCommand,
  { using, check }: Alteration,
  { text }: Condition,
): Policy {
  return {
    name: freeName(known, `${role}_${command}`),
    permissive: true,
    command,
    roles: [role],
    using: using ? text : null,
    check: check ? text : null,
    appliesTo: [role],
  }
}

/** Returns a name that no policy of the table has. */
export function freeName(known: readonly Pick<Policy, 'name'>[], wanted: string): string {
  const names = new Set(known.map(({ name }) => name))
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}_${number}`
    if (!names.has(name)) return name
  }
}

function createSql(facts: SecuredTable, policy: Policy): string {
  const head = `create policy ${quoteIdentifier(policy.name)} on ${quoteIdentifier(facts.name)} for ${policy.command} to ${policy.roles.join(', ')}`
  return `${[head, ...clausesSql(policy.using, policy.check)].join(' ')};`
}

function alterSql(facts: SecuredTable, policy: Policy, changed: Alteration | undefined): string {
  return alterPolicySql(facts.name, policy.name, {
    using: changed?.using === true ? policy.using : null,
    check: changed?.check === true ? policy.check : null,
  })
}

/** A statement that changes the clauses of a policy that are not `null`. */
export function alterPolicySql(
  table: string,
  name: string,
  { using, check }: Pick<Policy, 'using' | 'check'>,
): string {
  const head = `alter policy ${quoteIdentifier(name)} on ${quoteIdentifier(table)}`
  return `${[head, ...clausesSql(using, check)].join(' ')};`
}

function clausesSql(using: string | null, check: string | null): readonly string[] {
  return [
    ...(using === null ? [] : [`using (${using})`]),
    ...(check === null ? [] : [`with check (${check})`]),
  ]
}

function titleOf(
  { name }: SecuredTable,
  role: PrincipalRole,
  altered: readonly string[],
  added: readonly Policy[],
  { words }: Condition,
): string {
  const rows = `rows of ${name} ${words}`
  const verbs = added.map(({ command }) => VERBS[command as RowCommand]).join(' and ')
  const one = altered.length === 1
  const which = `the ${one ? 'policy' : 'policies'} ${altered.join(', ')}`
  if (altered.length === 0) return `A new policy lets ${role} ${verbs} ${rows}`
  if (added.length === 0) return `Let ${which} also pass ${rows}`
  return `A new policy lets ${role} ${verbs} ${rows}, and ${which} ${one ? 'passes' : 'pass'} them`
}
