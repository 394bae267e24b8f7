// Finds unintended access through a tenant's tables, policies, grants, functions and views. Each finding says which request
// could prove it; prove.ts sends the request. Pure.
import type { AuditFinding } from '../../../contract/audit.ts'
import { NEW_USER as SIGNED_UP } from '../../../contract/choices.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'
import type { Policy, SecuredTable } from '../../tables/table.ts'
import { isAlwaysTrueText } from '../policies/always-true.ts'
import {
  alwaysTruePolicy,
  definerWithoutSearchPath,
  EVERYBODY,
  type Exposure,
  grantToAnon,
  missingRowSecurity,
  viewSkipsPolicies,
} from '../policies/exposure.ts'
import { acceptanceOf } from './acceptance.ts'
import { type AuditCatalog, commentKey, type DefinerFunction } from './audit-catalog.ts'

/** The request that proves a finding, or the reason why no request can. */
export type Evidence =
  | {
      readonly kind: 'read'
      /** A table, a view, or `rpc/<function>`. */
      readonly relation: string
      readonly identity: Prover
      /** The number of the row that the request shows (count-visible.ts). Absent: any row. */
      readonly row?: string | undefined
    }
  | { readonly kind: 'none'; readonly reason: string }

/** Label of the identity that proves a finding. */
export type Prover = string
export const ANON: Prover = 'anon'
export const NEW_USER: Prover = SIGNED_UP.label

export interface Draft {
  readonly finding: Omit<AuditFinding, 'proof' | 'no_proof'>
  readonly evidence: Evidence
}

/** Returns the findings that follow from definitions in the catalogue alone, whatever the rows are. */
export function catalogFindings(
  parser: SqlParser,
  tables: readonly SecuredTable[],
  catalog: AuditCatalog,
): readonly Draft[] {
  return [
    ...tables.flatMap((table) => [
      ...securityFindings(table),
      ...viewFindings(table),
      ...table.policies.flatMap((policy) => policyFindings(parser, table, policy, catalog)),
    ]),
    ...catalog.definerFunctions.flatMap(functionFindings),
  ]
}

/** Whether row-level security can apply to the relation. */
function isSecurable({ kind }: SecuredTable): boolean {
  return kind === 'table' || kind === 'partitioned_table'
}

function securityFindings(table: SecuredTable): readonly Draft[] {
  if (!isSecurable(table)) return []
  return table.hasRowSecurity ? policyLess(table) : rowSecurityOff(table)
}

function rowSecurityOff(table: SecuredTable): readonly Draft[] {
  const { access, comment, name } = table
  const role = (['anon', 'authenticated'] as const).find((one) => isReachable(table, one))
  if (role === undefined) return []
  const { privileges } = access[role]
  const can = `${role} can ${privileges.length === 0 ? 'SELECT columns of' : privileges.join(', ')} all its rows`
  return [
    draft(missingRowSecurity(`table ${name}`, name, can), {
      object: `table ${name}`,
      table: name,
      comments: [comment],
      evidence: { kind: 'read', relation: name, identity: proverOf(role) },
    }),
  ]
}

function isReachable({ access }: SecuredTable, role: 'anon' | 'authenticated'): boolean {
  const { columns, privileges, schema } = access[role]
  return (
    schema && (privileges.length > 0 || Object.values(columns).some(({ length }) => length > 0))
  )
}

function policyLess(table: SecuredTable): readonly Draft[] {
  const { comment, name, policies } = table
  const isOpen = policies.some(
    ({ appliesTo, permissive }) =>
      permissive && (appliesTo.includes('anon') || appliesTo.includes('authenticated')),
  )
  if (isOpen || !(isReachable(table, 'anon') || isReachable(table, 'authenticated'))) return []
  const message = `Row-level security is on, and no permissive policy of ${name} applies to anon or authenticated. They see no rows, although they have grants.`
  return [
    draft(
      {
        rule: 'no-policy',
        severity: 'warning',
        message,
        safer: `Create the policy that callers need, or REVOKE ALL ON ${name} FROM anon, authenticated.`,
      },
      {
        object: `table ${name}`,
        table: name,
        comments: [comment],
        evidence: { kind: 'none', reason: 'No example row: anon and a new user see no row.' },
      },
    ),
  ]
}

function viewFindings(table: SecuredTable): readonly Draft[] {
  const { bypassedTables, comment, kind, name, securityInvoker } = table
  const role = (['anon', 'authenticated'] as const).find((one) => isReachable(table, one))
  if (role === undefined || isSecurable(table)) return []
  const found = {
    object: `${kind.replace('_', ' ')} ${name}`,
    table: name,
    comments: [comment],
    evidence: { kind: 'read', relation: name, identity: proverOf(role) },
  } as const
  if (kind === 'view') {
    if (securityInvoker || bypassedTables.length === 0) return []
    const safer = `ALTER VIEW ${name} SET (security_invoker = true);`
    return [draft(viewSkipsPolicies(name, bypassedTables.join(', '), safer), found)]
  }
  if (role !== 'anon') return []
  const grant = `anon has SELECT on the ${found.object}, to which row-level security cannot apply`
  return [draft(grantToAnon(grant, true), found)]
}

function policyFindings(
  parser: SqlParser,
  { comment, name: table }: SecuredTable,
  policy: Policy,
  { policyComments }: AuditCatalog,
): readonly Draft[] {
  const { check, command, name, permissive, roles, using } = policy
  if (!permissive || roles.every((role) => role === 'service_role')) return []
  const isOpen = (text: string | null) => text !== null && isAlwaysTrueText(parser, text)
  const clauses = [
    ...(isOpen(using) ? ['USING (true)'] : []),
    ...(isOpen(check) ? ['WITH CHECK (true)'] : []),
  ]
  if (clauses.length === 0) return []
  const exposure = alwaysTruePolicy(name, table, roles, clauses)
  const reads = isOpen(using) && (command === 'all' || command === 'select')
  const isForAnon = roles.some((role) => EVERYBODY.has(role))
  return [
    draft(exposure, {
      object: `policy ${name} on ${table}`,
      table,
      comments: [policyComments.get(commentKey(table, name)), comment],
      evidence: reads
        ? { kind: 'read', relation: table, identity: isForAnon ? ANON : NEW_USER }
        : { kind: 'none', reason: 'No request was sent, because it would write rows.' },
    }),
  ]
}

function functionFindings(definer: DefinerFunction): readonly Draft[] {
  const { canBeRead, comment, executableByAnon, hasSearchPath, name, returnsRows, signature } =
    definer
  const found = { object: `function ${signature}`, table: null, comments: [comment] }
  const pathless = draft(definerWithoutSearchPath(name), {
    ...found,
    evidence: {
      kind: 'none',
      reason: 'No example request: callers over REST cannot choose the search_path.',
    },
  })
  const grant = `anon may execute the function ${name}, which returns rows with its owner’s rights`
  const open = draft(grantToAnon(grant, true), {
    ...found,
    evidence: canBeRead
      ? { kind: 'read', relation: `rpc/${name}`, identity: ANON }
      : {
          kind: 'none',
          reason: 'No request was sent: the function takes arguments or may write rows.',
        },
  })
  return [...(hasSearchPath ? [] : [pathless]), ...(returnsRows && executableByAnon ? [open] : [])]
}

function proverOf(role: 'anon' | 'authenticated'): Prover {
  return role === 'anon' ? ANON : NEW_USER
}

interface Found {
  readonly object: string
  readonly table: string | null
  readonly comments: readonly (string | null | undefined)[]
  readonly evidence: Evidence
}

/** Creates the draft of a finding. Sets `accepted` when a comment accepts the rule. */
export function draft(
  {
    message,
    rule,
    safer,
    severity,
  }: Pick<Exposure, 'message' | 'safer' | 'severity'> & Pick<AuditFinding, 'rule'>,
  { comments, evidence, object, table }: Found,
): Draft {
  return {
    finding: {
      rule,
      severity,
      object,
      cause: object,
      table,
      identity: evidence.kind === 'read' ? evidence.identity : null,
      message,
      safer,
      accepted: acceptanceOf(rule, comments),
    },
    evidence,
  }
}
