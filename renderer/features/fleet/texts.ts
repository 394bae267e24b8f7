// This file holds all texts about the fleet, so that you can review them together.
import type { StepState } from '../../../emulator/contract/migrations.ts'
import { countOf } from '../../ui/form-values.ts'

export const STEP_STATES: Readonly<Record<StepState, string>> = {
  applied: 'applied',
  pending: 'pending',
  out_of_order: 'out of order',
  interrupted: 'interrupted',
  changed: 'changed after it ran',
  missing: 'file is missing',
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
  matches: { title: 'No tenant matches', detail: 'Clear the search and the chosen facts.' },
} as const

/** Heading of the comparison that ignores newer versions. */
export const OWN_DIFFERENCES = 'Differences from its own steps and version'

export const HINTS = {
  noSteps:
    'No migration steps are known for this group, so tenants are compared by template version.',
  noTemplate: 'The template of this group was removed.',
  notCompared:
    'The structure was not compared: no steps ran, and no other project has the same structure.',
  notPending:
    'No step is pending in the template or the selected tenants. Select tenants that have pending steps.',
  nonePending: 'No step is pending in the template or a tenant.',
  closing:
    'These statements remove the differences. The next sheet tries them, and shows what they destroy before you apply them.',
  templateStep: 'This command writes the differences into a step, and records it in the template:',
  tenantStep:
    'Beside “tenantry dev”, the button moves them into the template and all other tenants as a step, and records it here. Otherwise, run these statements in the template, and then write the step with the command below. A tenant that has the differences already refuses the step, so bring this tenant back before you apply it.',
  applyPending: 'Apply the pending steps to this tenant to bring it to the version.',
  noPendingForVersion:
    'No step is pending that brings this tenant to the version. Write the differences as a step with the command below, and apply it.',
  visibility:
    'In the last rehearsal, people gained or lost rows with these steps. Check each line before you apply them.',
  losses: 'In the last rehearsal, these steps lost rows or values. Applying loses them for good.',
  notRehearsed:
    'These steps were not rehearsed in all of these projects, or a structure changed since.',
  canary:
    'Canary tenants get the steps first. When a canary tenant fails, the emulator skips the other tenants.',
  removed: 'The tenant is removed. Its structure is not compared.',
  templateFirst:
    'Pending steps run in the template first, and then in each selected tenant. Each step is one transaction. A failed step does not change its tenant.',
  rehearsal:
    'Runs the pending steps in the template and each selected tenant, or in all tenants when none is selected. Compares which rows each identity sees, and rolls everything back.',
  nothingNew: 'The template equals the newest version. Publishing adds a version without changes.',
  publish:
    'Copies the structure of the template into a new, frozen version. New tenants are created from it. Existing tenants change only when you apply steps to them.',
} as const

/** @param next number of the version that publishing makes */
export function firstVersionText(next: number): string {
  return `This publishes v${next}, the first frozen version. v${next - 1} is the template itself, which stays editable.`
}

export function applyLabel(tenants: number): string {
  return tenants === 0 ? 'Apply steps' : `Apply to ${countOf(tenants, 'tenant')}`
}

/** @param tenants number of selected tenants. When none is selected, all tenants are rehearsed. */
export function rehearseLabel(tenants: number, all: number): string {
  if (tenants > 0) return `Rehearse on ${countOf(tenants, 'tenant')}`
  return all === 0 ? 'Rehearse on the template' : `Rehearse on all ${countOf(all, 'tenant')}`
}

export function surveyText(unread: number): string {
  return `Reading ${countOf(unread, 'project')}…`
}

/** @param comparedWith the value of `compared_with` in a report of drift */
export function comparedText(comparedWith: string): string {
  if (comparedWith === 'steps') return 'Compared with the structure that the applied steps create.'
  if (comparedWith === 'fixture') return 'Compared with the structure that the fixture creates.'
  return `Compared with ${comparedWith}, which has the same steps.`
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

/** @param comparedWith slug of the newest version */
export function olderVersionText(version: number, newest: string): string {
  return `The tenant was cloned from v${version}. This section compares it with ${newest}.`
}

interface Place {
  readonly group: string
  /** Address of this emulator. */
  readonly url: string
  /** Data directory of this emulator; `undefined` when the emulator keeps its data in memory. */
  readonly dataDir: string | undefined
}

/** Commands that name this emulator and the application's folder, so that they work from any folder. */
export function commandsOf({ dataDir, group, url }: Place): {
  readonly getSteps: readonly (readonly [command: string, effect: string])[]
  readonly fromChanges: string
} {
  const target = `--url ${url} --group ${quoted(group)}`
  // The application's folder contains the data directory.
  const folder = dataDir?.replace(/[\\/][^\\/]+$/, '')
  return {
    getSteps: [
      ...(folder === undefined
        ? []
        : [[`cd ${quoted(folder)}`, 'Opens the folder of this emulator.'] as const]),
      ['tenantry migrate new add_reviews', 'Adds a step to tenantry/migrations.'],
      [`tenantry migrate status ${target}`, 'Sends the steps to this emulator.'],
    ],
    fromChanges: `tenantry migrate new my_change --from-changes ${target}`,
  }
}

function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
