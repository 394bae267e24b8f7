// A change of the database: its statements, the projects that it reaches, and the losses that its rehearsal counted. Pure.
import type { ChangedProject } from '../../../emulator/contract/changes.ts'
import type { StepFolder } from '../../../emulator/contract/fixtures.ts'

export interface ChangeSheetProps {
  /** Slug of the project in which the statements are tried. */
  readonly tenant: string
  /** Names the step: what it does, in a few words. */
  readonly title: string
  /** Statements of the project's owner, in order. */
  readonly statements: readonly string[]
  /** Called when the user closes the sheet. */
  readonly onDone: () => void
  /**
   * Why the statements run only in this tenant, and not as a step: they change the tenant's rows, or end its structure
   * differences.
   */
  readonly onlyHere?: 'rows' | 'differences'
  /** Slug of a tenant that has the change already. This tenant only records the step and does not run it. */
  readonly recordedIn?: string
  /** Called after the change was applied, while the sheet is still open. */
  readonly onApplied?: () => void
}

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
