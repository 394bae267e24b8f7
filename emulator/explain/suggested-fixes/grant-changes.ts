// Lists the privileges that a statement lacks, and grants them in the order in which Postgres checks them. Pure.
import type { PrincipalRole } from '../../core/principal.ts'
import { quoteIdentifier } from '../../database/sql.ts'
import type { SecuredTable } from '../../tables/table.ts'
import { type Statement, tableVerdict, type World } from './what-if.ts'

export interface Granted {
  readonly facts: SecuredTable
  /** GRANT statements; empty when the role has all privileges. */
  readonly sql: readonly string[]
}

/** Returns `undefined` when no grant on the table would help. */
export function withGrants(world: World, statement: Statement): Granted | undefined {
  const role: PrincipalRole = world.principal.role
  let { facts } = world
  const granted: string[] = []
  for (const privilege of [statement.command.toUpperCase(), 'SELECT']) {
    const isMissing = tableVerdict({ ...world, facts }, statement) === 'missing_grant'
    const access = facts.access[role]
    if (!isMissing || access.privileges.includes(privilege)) continue
    const privileges = [...access.privileges, privilege]
    facts = { ...facts, access: { ...facts.access, [role]: { ...access, privileges } } }
    granted.push(privilege.toLowerCase())
  }
  if (tableVerdict({ ...world, facts }, statement) === 'missing_grant') return undefined
  return {
    facts,
    sql:
      granted.length === 0
        ? []
        : [`grant ${granted.join(', ')} on ${quoteIdentifier(facts.name)} to ${role};`],
  }
}
