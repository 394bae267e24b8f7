// This file holds all texts of the policies screen, so that you can review them together. Pure.
import type { PoliciesView } from './policies-search.ts'

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
  noWarnings: 'No warnings for any table.',
  update:
    'Choose the columns that the update sets on every row. Postgres evaluates check clauses on the new row.',
  closed: 'This table belongs to the platform. No policy can give access to it.',
  noPermissive:
    'No permissive policy. Row-level security is on, so only the owner and service_role see rows.',
  rlsOff: 'No policies. Row-level security is off, so grants alone decide.',
} as const

export function unknownTableText(tenant: string, table: string): string {
  return `${tenant} has no table named “${table}”.`
}
