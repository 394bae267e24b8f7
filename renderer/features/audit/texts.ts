// This file holds all texts of the audit screen, so that you can review them together. Pure.
import type { AuditSeen } from '../../../emulator/contract/audit.ts'
import { countOf } from '../../ui/form-values.ts'
import { formatNumber } from '../../ui/format.ts'
import type { AuditView } from './audit-search.ts'

export const TITLE = 'Audit'

export const VIEWS: Readonly<Record<AuditView, string>> = {
  picture: 'Tables × identities',
  findings: 'Findings',
  isolation: 'Other tenants',
}

export const EMPTY = {
  tables: {
    title: 'No tables yet',
    detail: 'Create a table in the SQL console to see who can read its rows.',
  },
  findings: {
    title: 'No findings',
    detail: 'The audit found no problem in tables, policies, grants, functions and views.',
  },
  others: {
    title: 'No other tenant',
    detail:
      'Provision a second tenant. The audit then tests whether either tenant can access the other’s data.',
  },
} as const

export const SEEN: Readonly<Record<AuditSeen, string>> = {
  all: 'sees all rows',
  some: 'sees some rows',
  none: 'sees no rows',
  refused: 'has no SELECT',
  failed: 'gets an error',
}

export const NOTES = {
  legend: 'Select a cell to see the decision for each row.',
  newUser: 'owns no rows',
  ways: 'For each cell, the audit sends a REST request with each tenant’s key and runs SQL.',
  accept: 'Accepted by a comment: ',
  policies: 'Policies of all roles, including service_role',
} as const

export function speedText(cells: number, millis: number): string {
  const rate = millis === 0 ? undefined : Math.round((cells * 1_000) / millis)
  const taken = `${countOf(cells, 'cell')} in ${formatNumber(millis)} ms`
  return rate === undefined ? taken : `${taken} · ${formatNumber(rate)} cells/s`
}

export function crossText(crossing: number, cells: number): string {
  return `${formatNumber(crossing)} of ${countOf(cells, 'cell')} with access`
}
