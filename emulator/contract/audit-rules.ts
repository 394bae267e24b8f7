// What each rule of the audit finds, in one sentence. The screens Policies and Audit show these words.
import type { AUDIT_RULES } from './choices.ts'

export type AuditRule = (typeof AUDIT_RULES)[number]

export const RULE_SENTENCES: Readonly<Record<AuditRule, string>> = {
  'row-security-missing': 'A table without row-level security: grants alone decide.',
  'policy-always-true': 'A policy whose condition is true for every row.',
  'grant-to-anon': 'A privilege of callers who are not signed in.',
  'definer-search-path': 'A function with its owner’s rights and the caller’s search_path.',
  'view-skips-policies': 'A view that reads with its owner’s rights, so policies do not apply.',
  'policy-recursion': 'Policies that read each other’s tables, so requests fail.',
  'realtime-cannot-judge': 'A policy that reads another table, so realtime sends no changes.',
  'unindexed-foreign-key': 'A foreign key without an index that a policy compares.',
  'unlogged-table': 'A table that is empty after a crash.',
  'no-policy': 'Row-level security without a policy for anon or authenticated: they see no rows.',
  'open-to-everybody': 'A table whose rows everybody sees, although no condition is always true.',
  'policy-fails': 'A policy that raises an error, so reading the table fails.',
  'sees-more': 'An identity sees rows that the baseline does not have.',
  'sees-less': 'An identity does not see rows that the baseline has.',
  'contract-widened': 'An identity reaches more than the contract allows.',
}
