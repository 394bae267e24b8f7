// Describes how to build the structure that a project should have: the steps that its ledger records, and SQL of a fixture
// between the steps. Pure.
import { createHash } from 'node:crypto'
import type { SchemaName } from '../../../core/names.ts'
import type { SqlParser } from '../../../database/sql-parser.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type AppliedStep, checksumOfPart } from '../steps/compare-steps.ts'
import { splitStatements } from '../steps/statements.ts'
import type { Step } from '../steps/step.ts'
import type { BasePart } from './base-store.ts'

export interface StructureSql {
  /** The schema for which the SQL in `base` was written. The SQL may contain its name. */
  readonly source: SchemaName
  readonly base: readonly BasePart[]
  /** The oldest step first. An interrupted step contains only the statements that ran. */
  readonly steps: readonly Step[]
}

/** Returns a text that is equal for SQL that builds the same structure. */
export function keyOfStructureSql({ base, source, steps }: StructureSql): string {
  return digestOf([
    steps.map(({ checksum, version }) => [version, checksum]),
    ...(base.length === 0 ? [] : [source, base.map(({ after, sql }) => [after, sql])]),
  ])
}

/** Returns a text of 64 characters that is equal for equal ledgers. */
export function keyOfLedger({ applied }: Pick<Ledger, 'applied'>): string {
  return digestOf(
    byVersion(applied).map(({ checksum, statements_done: done, version }) => [
      version,
      checksum,
      done,
    ]),
  )
}

export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

export type LedgerSteps =
  | { readonly kind: 'found'; readonly steps: readonly Step[] }
  /** The text of the step is not known: its file is missing, or changed after the step ran. */
  | { readonly kind: 'missing'; readonly file: string }

/** Finds the texts of the steps that ran, the oldest first. */
export function stepsOfLedger(
  steps: readonly Step[],
  applied: readonly AppliedStep[],
  parser: SqlParser,
): LedgerSteps {
  const files = new Map(steps.map((step) => [step.version, step]))
  const found: Step[] = []
  for (const entry of byVersion(applied)) {
    const file = files.get(entry.version)
    const step = file && stepThatRan(file, entry, parser)
    if (step === undefined) return { kind: 'missing', file: `${entry.version}_${entry.name}.sql` }
    found.push(step)
  }
  return { kind: 'found', steps: found }
}

function byVersion(applied: readonly AppliedStep[]): readonly AppliedStep[] {
  return applied.toSorted((a, b) => (a.version < b.version ? -1 : 1))
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
