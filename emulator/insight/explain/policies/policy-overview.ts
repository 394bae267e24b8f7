// Lists each table's policies and grants, with the audit's findings about them (contract/explain.ts, PolicyOverview). Pure.
import type { AuditRule } from '../../../contract/audit-rules.ts'
import { fixMembers, type PolicyOverview, type PolicyWarning } from '../../../contract/explain.ts'
import { isLedger } from '../../../core/names.ts'
import { quoteIdentifier } from '../../../database/sql.ts'
import { ROLES, type SecuredTable } from '../../tables/table.ts'

/** What the overview needs of a finding of the audit. */
export interface OverviewFinding {
  readonly rule: AuditRule
  readonly severity: PolicyWarning['severity']
  readonly object: string
  readonly table: string | null
  readonly message: string
  readonly safer: string | null
  readonly accepted: string | null
}

/** Leaves out the platform's table of migration steps, and findings that a comment accepts. */
export function policyOverview(
  all: readonly SecuredTable[],
  findings: readonly OverviewFinding[],
): PolicyOverview {
  const tables = all.filter(({ name }) => !isLedger(name))
  const open = findings.filter(({ accepted }) => accepted === null)
  return {
    tables: tables.map((table) => overviewOf(table, open)),
    function_warnings: open
      .filter(({ table }) => table === null)
      .map((finding) => warningOf(undefined, finding)),
  }
}

function overviewOf(
  table: SecuredTable,
  findings: readonly OverviewFinding[],
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
    warnings: findings
      .filter((finding) => finding.table === name)
      .map((finding) => warningOf(table, finding)),
  }
}

function warningOf(
  table: SecuredTable | undefined,
  { message, object, rule, safer, severity }: OverviewFinding,
): PolicyWarning {
  return {
    rule,
    severity,
    code: formerCode(rule, table),
    object,
    sentence: message,
    safer,
    ...fixMembers(table === undefined ? null : fixOf(rule, table)),
  }
}

/** SQL that removes the finding, where one statement does. */
function fixOf(rule: AuditRule, { name }: SecuredTable): string | null {
  if (rule === 'row-security-missing')
    return `alter table ${quoteIdentifier(name)} enable row level security;`
  if (rule === 'view-skips-policies')
    return `alter view ${quoteIdentifier(name)} set (security_invoker = true);`
  return null
}

/** Former values of `code`, from before the audit had rules. */
const FORMER: Readonly<Partial<Record<AuditRule, PolicyWarning['code']>>> = {
  'no-policy': 'rls_on_no_policy',
  'policy-always-true': 'always_true',
  'realtime-cannot-judge': 'realtime_cannot_evaluate',
  'view-skips-policies': 'view_bypasses_policies',
}

function formerCode(rule: AuditRule, table: SecuredTable | undefined): PolicyWarning['code'] {
  if (rule !== 'row-security-missing') return FORMER[rule] ?? rule
  return table !== undefined && table.access.anon.privileges.length > 0
    ? 'rls_off_reachable_by_anon'
    : 'rls_off'
}
