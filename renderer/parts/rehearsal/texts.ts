// The texts of rehearsals and applied steps, so that you can review them together.
import type { MigrationResult } from '../../../emulator/contract/migrations.ts'
import { countOf } from '../../ui/form-values.ts'

export const SKIPPED: Readonly<Record<NonNullable<MigrationResult['skipped']>, string>> = {
  deleted: 'The tenant is removed.',
  template_failed: 'The template failed.',
  publish_failed: 'Publishing failed.',
  canary_failed: 'A canary tenant failed.',
  stopped: 'The run stopped at a failure.',
}

/** Shown when applied steps no longer fit the followed fixture. */
export const FIXTURE_STAYS =
  "The steps are applied. The followed fixture can't follow them until it is corrected."

export function driftText(differences: number): string {
  return countOf(differences, 'difference')
}

export function visibilityText(projects: number): string {
  return `rows gained or lost in ${countOf(projects, 'project')}`
}

export function losingText(projects: number): string {
  return `values are lost in ${countOf(projects, 'project')}`
}

export function lossText(column: string | null, table: string, rows: number): string {
  return column === null
    ? `${countOf(rows, 'row')} of ${table}`
    : `the value of ${table}.${column} in ${countOf(rows, 'row')}`
}
