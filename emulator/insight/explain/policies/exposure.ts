// The messages for risks. `migrate lint` finds the risks in steps and the audit finds them in a tenant; both use the same words.
// Pure.
import type { AUDIT_RULES, LINT_RULES } from '../../../contract/choices.ts'

export interface Exposure {
  readonly rule: (typeof LINT_RULES)[number] & (typeof AUDIT_RULES)[number]
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** SQL or advice that avoids the risk. */
  readonly safer: string
}

/** Roles that callers without sign-in have. */
export const EVERYBODY: ReadonlySet<string> = new Set(['anon', 'public'])

/** @param table the kind and name of the table, e.g. `new table notes` */
export function missingRowSecurity(table: string, name: string, can: string): Exposure {
  return {
    rule: 'row-security-missing',
    severity: 'error',
    message: `The ${table} has no row-level security, so ${can}.`,
    safer: `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY; then create policies.`,
  }
}

/**
 * A permissive policy whose clauses are always true.
 * @param roles the roles of its TO clause; empty when the roles are unknown
 * @param clauses e.g. `USING (true)`
 */
export function alwaysTruePolicy(
  policy: string,
  table: string,
  roles: readonly string[],
  clauses: readonly string[],
): Exposure {
  const isForAll = roles.some((role) => EVERYBODY.has(role))
  const whom = isForAll
    ? 'anon (everybody with the public key)'
    : roles.length === 0
      ? 'the policy’s roles'
      : roles.join(', ')
  return {
    rule: 'policy-always-true',
    severity: isForAll ? 'error' : 'warning',
    message: `The policy ${policy} lets ${whom} access every row of ${table}: ${clauses.join(', ')}.`,
    safer: `Name the rows, for example USING (user_id = auth.uid())${isForAll ? ', and the roles: TO authenticated' : ''}.`,
  }
}

/** @param grant the main clause, e.g. `The statement grants SELECT to anon` */
export function grantToAnon(grant: string, onlyReads: boolean): Exposure {
  return {
    rule: 'grant-to-anon',
    severity: onlyReads ? 'warning' : 'error',
    message: `${grant}, so callers who are not signed in have this privilege.`,
    safer: 'Grant to authenticated, or to service_role for the application’s own server.',
  }
}

export function definerWithoutSearchPath(name: string): Exposure {
  return {
    rule: 'definer-search-path',
    severity: 'warning',
    message: `The function ${name} runs with its owner’s rights and the caller’s search_path, so a caller can make it use other objects.`,
    safer:
      'Add SET search_path FROM CURRENT. The body then finds the tables of its own project, whatever the caller sets.',
  }
}

/** @param tables what the view reads */
export function viewSkipsPolicies(name: string, tables: string, safer: string): Exposure {
  return {
    rule: 'view-skips-policies',
    severity: 'error',
    message: `The view ${name} reads with its owner’s rights, so the policies of ${tables} do not apply to callers.`,
    safer,
  }
}
