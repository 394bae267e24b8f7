// This file holds all texts of the policies screen, so that you can review them together. Pure.
import type { PoliciesView } from './policies-search.ts'
import type { PolicyEdit } from './use-policies-address.ts'

export const TITLE = 'Policies'

export const VIEWS: Readonly<Record<PoliciesView, string>> = {
  rules: 'Policies',
  rows: 'Decisions',
  matrix: 'Rows × identities',
}

export const EMPTY = {
  tables: {
    title: 'No tables yet',
    detail: 'Create a table in the SQL console to see its policies.',
  },
  identity: {
    title: 'Policies do not restrict the owner',
    detail: 'Choose a user, a key, a past request or custom claims under “Act as” at the top.',
  },
  rows: {
    title: 'No rows',
    detail: 'The table is empty. Insert a row to see the decision for it.',
  },
  insert: {
    title: 'No row to evaluate',
    detail:
      'Enter the new row on the left. The emulator inserts nothing. It evaluates the check clauses and shows the values that they compare.',
  },
} as const

export const NOTES = {
  noWarnings: 'No findings in definitions.',
  audit: 'Audit with rows',
  update:
    'Choose the columns that the update sets on every row. Postgres evaluates check clauses on the new row.',
  closed: 'This table belongs to the platform. No policy can give access to it.',
  noPermissive:
    'No permissive policy. Row-level security is on, so only the owner and service_role see rows.',
  rlsOff: 'No policies. Row-level security is off, so grants alone decide.',
} as const

export const EDITOR = {
  kinds: [
    { value: 'permissive', label: 'permissive', detail: 'one has to allow the row' },
    { value: 'restrictive', label: 'restrictive', detail: 'all have to allow the row' },
  ],
  everyRole: 'public (every role)',
  template: { label: 'Start from', none: 'A template for this table' },
  clauses: {
    using: { label: 'using', hint: 'which existing rows the role reaches' },
    check: { label: 'with check', hint: 'which new rows the role may write' },
  },
  save: 'Apply change',
  stale: 'As of the last valid draft:',
  unchanged: 'No cell changes',
  bypass: 'The owner and service_role bypass policies.',
  newRow: {
    title: 'New row',
    label: 'new row',
    detail: 'Nothing is inserted. A column without a value gets its default.',
  },
  drop: 'The policy is dropped. The matrix shows who loses or gains rows.',
} as const

export function rowSecurityText(isOn: boolean): string {
  return isOn
    ? 'Row-level security is switched on. Roles then reach only the rows that policies allow.'
    : 'Row-level security is switched off. Every role with a grant then reaches every row.'
}

/** @param isOn whether row-level security is on at present */
export function switchText(isOn: boolean): string {
  return `Switch RLS ${isOn ? 'off' : 'on'}`
}

export function editTitle({ kind, policy }: PolicyEdit, isSecured: boolean): string {
  switch (kind) {
    case 'create':
      return 'New policy'
    case 'change':
      return `Policy ${policy}`
    case 'drop':
      return `Drop policy ${policy}`
    case 'rls':
      return switchText(isSecured)
  }
}

/** Names the migration step of an edit. */
export function changeTitle(
  { kind, policy }: PolicyEdit,
  table: { readonly name: string; readonly rls_enabled: boolean },
): string {
  switch (kind) {
    case 'create':
      return `Create policy on ${table.name}`
    case 'change':
      return `Change policy ${policy} on ${table.name}`
    case 'drop':
      return `Drop policy ${policy} on ${table.name}`
    case 'rls':
      return `${switchText(table.rls_enabled)} for ${table.name}`
  }
}

export function unknownPolicyText(table: string, policy: string | undefined): string {
  return `${table} has no policy named “${policy}”.`
}

export function unknownTableText(tenant: string, table: string): string {
  return `${tenant} has no table named “${table}”.`
}
