// The texts of the change sheet, so that you can review them together.
import type { ChangedProject } from '../../../emulator/contract/changes.ts'
import { NEW_USER } from '../../../emulator/contract/choices.ts'
import { countOf } from '../../ui/form-values.ts'

interface All {
  readonly template: string
  readonly tenants: number
}

export const TEXTS = {
  onlyHere: {
    rows: (tenant: string): string =>
      `The statements change rows of ${tenant} only, so that they are no migration step.`,
    differences: (tenant: string): string =>
      `The statements end differences of ${tenant} only, so that they are no migration step.`,
  },
  notRecorded: (tenant: string): string =>
    `No folder of migration steps is followed. The statements run in ${tenant} only, and nothing records them. With “tenantry dev”, they become a step for all tenants.`,
  asStep: ({ template, tenants }: All): string =>
    `Becomes a migration step for the template ${template}${tenants === 0 ? '' : ` and ${countOf(tenants, 'tenant')}`}, in`,
  trial: (tenant: string): string => `1. Tried in ${tenant}, and rolled back`,
  same: (compared: Compared): string => `${comparedText(compared)} see the same rows as before.`,
  compared: (compared: Compared): string => `Compared: ${lowerFirst(comparedText(compared))}.`,
  file: 'The step is saved under the time of its application, for example as',
  rehearseFirst: 'Rehearse the change first.',
  rehearsal: 'Runs the step and earlier pending ones in each project, and rolls everything back.',
  rehearse: ({ tenants }: All): string =>
    tenants === 0
      ? 'Rehearse on the template'
      : `Rehearse on the template and ${countOf(tenants, 'tenant')}`,
  visibility: 'People gain or lose rows. Check each line before you apply the change.',
  refused: 'Some projects refuse the change. They keep their structure, and the others get it.',
  refusedAll: 'The template refuses the change, so that it cannot be applied.',
  snapshot:
    'A snapshot of the whole platform is saved first. Requests wait until the change is applied.',
  applyAll: ({ tenants }: All): string =>
    tenants === 0
      ? 'Save step and apply to the template'
      : `Save step and apply to the template and ${countOf(tenants, 'tenant')}`,
  applyHere: (tenant: string): string => `Apply to ${tenant}`,
  losing: (rows: number): string => ` and lose ${countOf(rows, 'value')}`,
  undo: 'Undo restores the whole platform to the moment before the change: projects with structure, rows and users, files, keys, the clock and armed faults.',
  undoLater: 'When this sheet is closed, you find the button under Snapshots, in the sheet of',
  undone: 'The platform is as it was before the change.',
  undoStep: 'It also removes the step’s file.',
  undoLosing: (changes: number): string => `Undo and lose ${countOf(changes, 'change')}`,
} as const

type Compared = Pick<ChangedProject, 'compared' | 'users'>

/** Names the identities whose rows were compared, e.g. `Anon, a new user and 4 of 5 users`. */
function comparedText({ compared, users }: Compared): string {
  const asked = compared.filter((label) => label !== 'anon' && label !== NEW_USER.label).length
  if (users === 0) return 'Anon and a new user'
  const people =
    asked < users
      ? `${asked} of ${countOf(users, 'user')}`
      : users === 1
        ? 'the only user'
        : `all ${countOf(users, 'user')}`
  return `Anon, a new user and ${people}`
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
