// Finds the texts of the steps that a ledger records. Pure.
import type { SqlParser } from '../../database/sql-parser.ts'
import { type AppliedStep, checksumOfPart } from '../steps/compare-steps.ts'
import { splitStatements } from '../steps/statements.ts'
import type { Step } from '../steps/step.ts'

export type LedgerSteps =
  /** An interrupted step consists of the statements that ran. */
  | { readonly kind: 'found'; readonly steps: readonly Step[] }
  /** The file of this step is missing, or its text changed after it ran. */
  | { readonly kind: 'missing'; readonly file: string }

/** Returns the steps that ran, the oldest first. */
export function stepsOfLedger(
  steps: readonly Step[],
  applied: readonly AppliedStep[],
  parser: SqlParser,
): LedgerSteps {
  const files = new Map(steps.map((step) => [step.version, step]))
  const found: Step[] = []
  for (const entry of applied.toSorted((a, b) => (a.version < b.version ? -1 : 1))) {
    const file = files.get(entry.version)
    const step = file && stepThatRan(file, entry, parser)
    if (step === undefined) return { kind: 'missing', file: `${entry.version}_${entry.name}.sql` }
    found.push(step)
  }
  return { kind: 'found', steps: found }
}

function stepThatRan(
  step: Step,
  { checksum, statements_done: done }: AppliedStep,
  parser: SqlParser,
): Step | undefined {
  if (done === null) return checksum === step.checksum ? step : undefined
  if (checksumOfPart(parser, step, done) !== checksum) return undefined
  const end = splitStatements(parser, step.sql)[done - 1]?.end
  return { ...step, sql: step.sql.slice(0, end), checksum }
}
