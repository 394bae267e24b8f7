// The initial fields of the editor. Only the editor may import this file, because the file loads the grammar of SQL. Pure.
import { prettyCondition } from '../../../parts/sql-syntax.ts'
import type { Policy, PolicyDraft, PolicyTable } from './policy-statements.ts'

/** The fields of a policy, without the parentheses that Postgres adds around each expression. */
export function draftOf(policy: Policy): PolicyDraft {
  const { check, command, name, permissive, roles, using } = policy
  const text = (expression: string | null) =>
    expression === null ? '' : prettyCondition(expression)
  return { name, command, permissive, roles, using: text(using), check: text(check) }
}

/** The fields of a new policy. The fields make no statement until the user enters a condition. */
export function newDraft({ name, policies }: PolicyTable): PolicyDraft {
  const taken = new Set(policies.map((policy) => policy.name))
  const names = Array.from({ length: taken.size + 1 }, (_, index) =>
    index === 0 ? `${name}_policy` : `${name}_policy_${index + 1}`,
  )
  return {
    name: names.find((one) => !taken.has(one)) ?? '',
    command: 'select',
    permissive: true,
    roles: ['authenticated'],
    using: '',
    check: '',
  }
}
