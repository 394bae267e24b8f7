// This file holds all texts about the fleet, so that you can review them together.
import type { FleetState } from '../../../emulator/contract/fleet.ts'
import type { MigrationResult, StepState } from '../../../emulator/contract/migrations.ts'
import { countOf } from '../../ui/form-values.ts'

export const STATES: Readonly<
  Record<FleetState, { readonly word: string; readonly detail: string }>
> = {
  up_to_date: { word: 'up to date', detail: 'The tenant has all steps.' },
  behind: { word: 'behind', detail: 'Steps are pending, or the template has a newer version.' },
  drifted: {
    word: 'drifted',
    detail: 'The structure differs from the structure that the steps and the fixture create.',
  },
  rehearsal_failed: {
    word: 'would fail',
    detail: 'The last rehearsal of these steps failed.',
  },
  conflict: { word: 'conflict', detail: 'The steps differ from the steps that ran in the tenant.' },
  unknown: { word: 'unknown', detail: 'The tenant’s record of steps cannot be read.' },
  deleted: { word: 'removed', detail: 'The tenant is offline.' },
}

export const STEP_STATES: Readonly<Record<StepState, string>> = {
  applied: 'applied',
  pending: 'pending',
  out_of_order: 'out of order',
  interrupted: 'interrupted',
  changed: 'changed after it ran',
  missing: 'file is missing',
}

export const SKIPPED: Readonly<Record<NonNullable<MigrationResult['skipped']>, string>> = {
  deleted: 'The tenant is removed.',
  template_failed: 'The template failed.',
  publish_failed: 'Publishing failed.',
  canary_failed: 'A canary tenant failed.',
  stopped: 'The run stopped at a failure.',
}

export const ON_FAILURE: Readonly<Record<'continue' | 'stop', string>> = {
  continue: 'continue with the next tenant',
  stop: 'stop',
}

export const EMPTY = {
  groups: {
    title: 'No groups yet',
    detail:
      'A fleet is a template and its tenants. Create a group, or apply a fixture that has a group.',
  },
  tenants: { title: 'No tenants yet', detail: 'Provision a tenant from the group’s template.' },
  matches: { title: 'No tenant matches', detail: 'Clear the search and the states.' },
} as const

export const HINTS = {
  noSteps:
    'No migration steps are known for this group, so tenants are compared by template version.',
  howToGetSteps: [
    ['tenantry init', 'creates the application folder tenantry/'],
    ['tenantry migrate new add_reviews', 'adds a step to tenantry/migrations'],
    ['tenantry migrate status', 'sends the steps to this emulator'],
  ],
  noTemplate: 'The template of this group was removed.',
  notCompared:
    'The structure was not compared: no steps ran, and no other project has the same structure.',
  closing: 'These statements remove the drift. Statements that destroy data are commented out.',
  canary:
    'Canary tenants get the steps first. When a canary tenant fails, the emulator skips the other tenants.',
  removed: 'The tenant is removed. Its structure is not compared.',
  templateFirst:
    'Pending steps run in the template first, and then in each selected tenant. Each step is one transaction. A failed step does not change its tenant.',
  rehearsal:
    'Runs the pending steps in the template and each selected tenant, compares which rows each identity sees, and rolls everything back.',
  noVersion: 'No version is published yet. The first version freezes the whole template.',
  nothingNew: 'The template equals the newest version. Publishing adds a version without changes.',
  publish:
    'Copies the structure of the template into a new, frozen version. New tenants are created from it. Existing tenants change only when you apply steps to them.',
} as const

export function applyLabel(tenants: number): string {
  return tenants === 0 ? 'Apply steps' : `Apply to ${countOf(tenants, 'tenant')}`
}

export function rehearseLabel(tenants: number): string {
  return tenants === 0 ? 'Rehearse steps' : `Rehearse on ${countOf(tenants, 'tenant')}`
}

export function surveyText(unread: number): string {
  return `Reading ${countOf(unread, 'project')}…`
}

/** @param comparedWith as a report of drift gives it */
export function comparedText(comparedWith: string): string {
  if (comparedWith === 'steps') return 'Compared with the structure that the applied steps create.'
  if (comparedWith === 'fixture') return 'Compared with the structure that the fixture creates.'
  return `Compared with ${comparedWith}, which has the same steps.`
}

export function driftText(differences: number): string {
  return countOf(differences, 'difference')
}

export function pendingText(name: string, tenants: number, inTemplate: boolean): string {
  const places = [
    ...(inTemplate ? ['the template'] : []),
    ...(tenants === 0 ? [] : [countOf(tenants, 'tenant')]),
  ]
  return `${name}: ${places.join(' and ')}`
}

export function publishedText(tables: number, older: number): string {
  return `${countOf(tables, 'table')}. ${countOf(older, 'tenant')} on an earlier version.`
}
