// What a change reaches, and what its rehearsal says. Pure.
import type { ChangedProject } from '../../../emulator/contract/changes.ts'
import type { StepFolder } from '../../../emulator/contract/fixtures.ts'

export type ChangeReach =
  | { readonly kind: 'project'; readonly tenant: string }
  | {
      readonly kind: 'all'
      readonly folder: string
      readonly template: string
      readonly tenants: number
    }

export function reachOf(
  tenant: string,
  { folder, template, tenants }: StepFolder,
  isOnlyHere: boolean,
): ChangeReach {
  return folder === null || template === null || isOnlyHere
    ? { kind: 'project', tenant }
    : { kind: 'all', folder, template, tenants }
}

/** Joins statements to a script. A statement may end with a comment. */
export function scriptOf(statements: readonly string[]): string {
  const [first = '', ...others] = statements
  if (others.length === 0) return first
  return statements
    .map((statement) => {
      const text = statement.trimEnd()
      if (text.endsWith(';')) return text
      return text.slice(text.lastIndexOf('\n') + 1).includes('--') ? `${text}\n;` : `${text};`
    })
    .join('\n')
}

/** Rows and values that a change loses for good, in all given projects. */
export function lostRows(projects: readonly ChangedProject[]): number {
  return projects.reduce(
    (sum, { losses }) => sum + losses.reduce((rows, loss) => rows + loss.rows, 0),
    0,
  )
}
