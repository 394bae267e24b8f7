// Compares the steps of a folder with the steps that a project has. Pure.
import type { StepState } from '../../../contract/migrations.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'
import { hasStatements, splitStatements } from './statements.ts'
import { checksumOf, type Step } from './step.ts'

/** A step that ran in a project, as the project's ledger records it. */
export interface AppliedStep {
  readonly version: string
  readonly name: string
  /** Checksum of the step's text. For an interrupted step, checksum of the text up to the last statement that ran. */
  readonly checksum: string
  /** ISO 8601 in UTC; `null` in a clone, because only the rows of a ledger contain the time. */
  readonly applied_at: string | null
  /** Number of statements that ran when a step without a transaction was interrupted; `null` when the step is complete. */
  readonly statements_done: number | null
}

export interface ComparedStep {
  readonly version: string
  readonly name: string
  readonly state: StepState
  /** The step's file; `undefined` when the file is missing. */
  readonly step: Step | undefined
  /** The ledger's entry; `undefined` when the step did not run. */
  readonly applied: AppliedStep | undefined
}

/**
 * Returns every step of the folder and of the ledger with its state, the oldest first. Leaves out a step without statements that
 * did not run, because its author has only created the file so far.
 */
export function compareSteps(
  steps: readonly Step[],
  ledger: readonly AppliedStep[],
  parser: SqlParser,
): readonly ComparedStep[] {
  const ran = new Map(ledger.map((applied) => [applied.version, applied]))
  const files = new Map(
    steps
      .filter(({ sql, version }) => ran.has(version) || hasStatements(sql))
      .map((step) => [step.version, step]),
  )
  const newest = [...ran.keys()].toSorted().at(-1) ?? ''
  return [...new Set([...files.keys(), ...ran.keys()])].toSorted().map((version) => {
    const step = files.get(version)
    const applied = ran.get(version)
    const name = step?.name ?? applied?.name ?? ''
    return { version, name, step, applied, state: stateOf(step, applied, newest, parser) }
  })
}

function stateOf(
  step: Step | undefined,
  applied: AppliedStep | undefined,
  newest: string,
  parser: SqlParser,
): StepState {
  if (step === undefined) return 'missing'
  if (applied === undefined) return step.version < newest ? 'out_of_order' : 'pending'
  if (applied.statements_done === null)
    return applied.checksum === step.checksum ? 'applied' : 'changed'
  return applied.checksum === checksumOfPart(parser, step, applied.statements_done)
    ? 'interrupted'
    : 'changed'
}

/**
 * Returns the checksum of a step's text up to the end of its statement number `count`. While the step is interrupted, later
 * statements can still be changed. Returns `undefined` when the step has fewer statements or a syntax error.
 */
export function checksumOfPart(parser: SqlParser, step: Step, count: number): string | undefined {
  try {
    const last = splitStatements(parser, step.sql)[count - 1]
    return last && checksumOf(step.sql.slice(0, last.end))
  } catch {
    return undefined
  }
}

/** Returns why the project cannot get its pending steps, and what to do; `undefined` without a conflict. */
export function conflictOf(compared: readonly ComparedStep[]): string | undefined {
  for (const { applied, name, state, step, version } of compared) {
    const file = step?.file ?? `${version}_${name}.sql`
    if (state === 'missing')
      return `${file} ran in this project, but the file is missing. Restore the file from version control.`
    if (state === 'out_of_order')
      return `${file} is older than a step that ran already. Rename it with a later timestamp; "tenantry migrate new" creates one.`
    if (state === 'changed')
      return applied?.statements_done === null
        ? `${file} changed after it ran. On your machine, "tenantry dev" carries out the change in place. Elsewhere, restore the text that ran, and write the change as a new step with "tenantry migrate new".`
        : `${file} was interrupted after ${applied?.statements_done} of its statements, and the text of these statements changed. Restore their text; the statements after them can be changed.`
  }
  return undefined
}

/** Returns the steps that still have to run, the oldest first. An interrupted step counts. */
export function pendingSteps(compared: readonly ComparedStep[]): readonly ComparedStep[] {
  return compared.filter(({ state }) => state === 'pending' || state === 'interrupted')
}
