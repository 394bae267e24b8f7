// Lists each table's policies and grants, with warnings about likely mistakes (contract/explain.ts, PolicyOverview). Pure.
import { fixMembers, type PolicyOverview, type PolicyWarning } from '../../../contract/explain.ts'
import { isLedger } from '../../../core/names.ts'
import { quoteIdentifier } from '../../../database/sql.ts'
import { type Policy, ROLES, type SecuredTable } from '../../tables/table.ts'

/** Leaves out the record of migration steps, which no user made. */
export function policyOverview(all: readonly SecuredTable[]): PolicyOverview {
  const tables = all.filter(({ name }) => !isLedger(name))
  const names = new Set(tables.map(({ name }) => name))
  return { tables: tables.map((table) => overviewOf(table, names)) }
}

function overviewOf(
  table: SecuredTable,
  names: ReadonlySet<string>,
): PolicyOverview['tables'][number] {
  const { name, hasRowSecurity, forcesRowSecurity, isClosed, policies, access } = table
  return {
    name,
    rls_enabled: hasRowSecurity,
    rls_forced: forcesRowSecurity,
    is_closed: isClosed,
    grants: Object.fromEntries(
      ROLES.map((role) => [role, access[role].privileges.map((each) => each.toLowerCase())]),
    ),
    policies: policies.map(({ name: policy, permissive, command, roles, using, check }) => ({
      name: policy,
      permissive,
      command,
      roles,
      using,
      check,
    })),
    warnings: isClosed ? [] : warningsOf(table, names),
  }
}

/** Returns warnings about likely mistakes in a table's policies. */
export function warningsOf(
  table: SecuredTable,
  names: ReadonlySet<string>,
): readonly PolicyWarning[] {
  if (table.kind === 'view' || table.kind === 'materialized_view') return viewWarnings(table)
  return [
    ...securityWarnings(table),
    ...table.policies.flatMap((policy) => policyWarnings(table, policy, names)),
  ]
}

function viewWarnings({ name, owner, securityInvoker, bypassedTables, kind }: SecuredTable) {
  if (securityInvoker || bypassedTables.length === 0) return []
  const isView = kind === 'view'
  return [
    {
      code: 'view_bypasses_policies',
      sentence: `${name} reads ${bypassedTables.join(', ')} with the rights of ${owner}, and those policies do not apply to ${owner}. Everyone who may read the view sees every row.`,
      ...fixMembers(
        isView ? `alter view ${quoteIdentifier(name)} set (security_invoker = true);` : null,
      ),
    },
  ] satisfies PolicyWarning[]
}

function securityWarnings({
  name,
  hasRowSecurity,
  policies,
  access,
}: SecuredTable): readonly PolicyWarning[] {
  const enabling = `alter table ${quoteIdentifier(name)} enable row level security;`
  if (!hasRowSecurity) {
    const open = (['anon', 'authenticated'] as const).filter(
      (role) => access[role].privileges.length > 0,
    )
    const ignored = policies.length === 0 ? '' : ` Its ${policies.length} policies have no effect.`
    if (open.includes('anon'))
      return [
        {
          code: 'rls_off_reachable_by_anon',
          sentence: `Row-level security is off on ${name}, and anon has ${access.anon.privileges.join(', ')}. Everyone with the public key can reach every row.${ignored}`,
          ...fixMembers(enabling),
        },
      ]
    if (open.length > 0 || policies.length > 0)
      return [
        {
          code: 'rls_off',
          sentence: `Row-level security is off on ${name}. Every signed-in user with a grant can reach every row.${ignored}`,
          ...fixMembers(enabling),
        },
      ]
    return []
  }
  const permitting = policies.filter(
    ({ permissive, appliesTo }) =>
      permissive && (appliesTo.includes('anon') || appliesTo.includes('authenticated')),
  )
  if (permitting.length > 0) return []
  return [
    {
      code: 'rls_on_no_policy',
      sentence: `Row-level security is on, and no permissive policy of ${name} applies to anon or authenticated. They see no rows.`,
      ...fixMembers(null),
    },
  ]
}

function policyWarnings(
  { name: table }: SecuredTable,
  { name, permissive, command, roles, using, check }: Policy,
  names: ReadonlySet<string>,
): readonly PolicyWarning[] {
  const warnings: PolicyWarning[] = []
  const target = `${quoteIdentifier(name)} on ${quoteIdentifier(table)}`
  if (roles.includes('public') && permissive)
    warnings.push({
      code: 'policy_without_role',
      sentence: `${name} has no TO clause, so it also applies to anon.`,
      ...fixMembers(`alter policy ${target} to authenticated;`),
    })
  const isOpen = roles.some((role) => role !== 'service_role')
  if (permissive && isOpen && (using === 'true' || (check === 'true' && using === null)))
    warnings.push({
      code: 'always_true',
      sentence: `${name} lets ${roles.join(', ')} ${command === 'all' ? 'do anything with' : command} every row.`,
      ...fixMembers(null),
    })
  if (command === 'all' || command === 'select') {
    const others = [...names].filter((other) => other !== table && reads(using ?? '', other))
    if (others.length > 0)
      warnings.push({
        code: 'realtime_cannot_evaluate',
        sentence: `${name} reads ${others.join(', ')}. Realtime reads only the changed row. It treats this policy as false and sends no changes.`,
        ...fixMembers(null),
      })
  }
  return warnings
}

// Matches the table's name after FROM or JOIN, in the form that pg_get_expr prints.
function reads(expression: string, table: string): boolean {
  const plain = table.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const quoted = quoteIdentifier(table).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`\\b(FROM|JOIN)\\s+\\(*(${plain}\\b|${quoted})`, 'i').test(expression)
}
