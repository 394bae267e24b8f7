// This file holds all texts of the audit screen, so that you can review them together. Pure.
import type { AuditBucket, AuditSeen } from '../../../emulator/contract/audit.ts'
import type { AuditCause } from '../../../emulator/contract/audit-causes.ts'
import type { PartialAudit } from '../../api/audit-parts.ts'
import { countOf } from '../../ui/form-values.ts'
import { formatNumber } from '../../ui/format.ts'
import type { AuditView } from './audit-search.ts'

export const TITLE = 'Audit'

export const VIEWS: Readonly<Record<AuditView, string>> = {
  picture: 'Tables × identities',
  findings: 'Findings',
  contract: 'Contract',
  isolation: 'Other tenants',
}

export const EMPTY = {
  tables: {
    title: 'No tables or buckets yet',
    detail: 'Create a table in the SQL console to see who can read its rows.',
  },
  findings: {
    title: 'No findings',
    detail: 'The audit found no problem in tables, policies, grants, functions and views.',
  },
  contract: {
    title: 'No contract checked',
    detail:
      'A contract states what anon and a new user reach. Download it, commit it with your application, and choose the file later. What widened since appears here, and in this command, which CI can run:',
  },
  widened: {
    title: 'Nothing widened',
    detail: 'Anon and a new user reach no more than the contract allows.',
  },
  others: {
    title: 'No other tenant',
    detail:
      'Provision a second tenant. The audit then tests whether either tenant can access the other’s data.',
  },
} as const

export const CONTRACT = {
  title: 'Contract',
  file: 'tenantry.contract.json',
  check: 'Check contract',
  save: 'Download contract',
  checkFailed: 'Could not check the contract',
  saveFailed: 'Could not download the contract',
  widened: 'Widened',
  changes: 'Other changes',
  rules: 'Show policies',
  intended: 'If you intended this, download the contract, or run',
} as const

/** @param url address of this emulator */
export function checkCommand(url: string, tenant: string): string {
  return `tenantry audit --tenant ${tenant} --contract ${CONTRACT.file} --url ${url}`
}

/** @param url address of this emulator */
export function acceptCommand(url: string, tenant: string): string {
  return `tenantry audit --tenant ${tenant} --accept-contract ${CONTRACT.file} --url ${url}`
}

export const SEEN: Readonly<Record<AuditSeen, string>> = {
  all: 'sees all rows',
  some: 'sees some rows',
  none: 'sees no rows',
  refused: 'has no SELECT',
  failed: 'gets an error',
}

export const ACCESS: Readonly<Record<AuditBucket['access'][number], string>> = {
  none: 'none',
  read: 'read',
  write: 'read, write',
  administer: 'all',
}

export const NOTES = {
  legend:
    'Red: anon or a new user reaches all. Amber: they reach a part. Select a cell to see the decision for each row, or the files of a bucket.',
  newUser: 'owns no rows',
  ways: 'For each cell, the audit sends a REST request with each tenant’s key and runs SQL.',
  accept: 'Accepted by a comment: ',
  buckets: 'Files have no owner. An identity that reads a bucket reads all its files.',
  others: 'Auditing the other tenants…',
  counting: 'Counting rows…',
  policies: 'Policies of all roles, including service_role',
} as const

export function progressText({ tables, waiting, whole }: PartialAudit): string {
  if (whole !== undefined)
    return `${countOf(whole.cells, 'cell')} in ${formatNumber(whole.duration_ms)} ms`
  return `${tables.length} of ${countOf(tables.length + waiting.length, 'table')}`
}

/** Most other tenants that the page audits. */
export const MAX_OTHERS = 20

/** Says where a cause is found, such as `Tenants: aurora, boavista · Tables: notes, tags`. */
export function placesText({ identities, tables, tenants }: AuditCause): string {
  const lists = [
    ['Tenants', tenants],
    ['Tables', tables],
    ['Identities', identities],
  ] as const
  return lists
    .filter(([, names]) => names.length > 0)
    .map(([title, names]) => `${title}: ${names.join(', ')}`)
    .join(' · ')
}

/** @param audited number of other tenants that were audited, of `all` */
export function othersText(audited: number, all: number): string {
  return `The tenants of a finding are this one and those among ${formatNumber(audited)} of ${countOf(all, 'other tenant')}.`
}

export function crossText(crossing: number, cells: number): string {
  return `${formatNumber(crossing)} of ${countOf(cells, 'cell')} with access`
}
