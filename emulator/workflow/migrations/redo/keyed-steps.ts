// Converts steps to lists of statements that can be compared. Blank lines, comments and the case of letters make no difference.
// Pure.
import type { SqlParser } from '../../../database/sql-parser.ts'
import { splitStatements, statementKey } from '../steps/statements.ts'
import type { Step } from '../steps/step.ts'
import { changesData } from './data-statements.ts'

export interface KeyedStatement {
  /** Text without a closing semicolon. */
  readonly text: string
  /** Equal for equal statements. */
  readonly key: string
  /** Whether the statement changes rows or loses data. */
  readonly isData: boolean
  /** Whether the statement renames something. */
  readonly isRename: boolean
}

export interface KeyedStep {
  readonly step: Step
  /** Equal for steps with equal statements. */
  readonly key: string
  readonly statements: readonly KeyedStatement[]
}

/** @throws {SqlSyntaxError} */
export function keyedStep(parser: SqlParser, step: Step): KeyedStep {
  const statements = splitStatements(parser, step.sql).map((statement) => ({
    text: statement.text,
    key: statementKey(parser, statement.text),
    isData: changesData(statement),
    isRename: statement.kind === 'RenameStmt',
  }))
  const key = JSON.stringify([step.isTransactional, ...statements.map((one) => one.key)])
  return { step, key, statements }
}

/** Returns the index of the first step that differs; the length of the shorter list when none does. */
export function firstDifference(before: readonly KeyedStep[], after: readonly KeyedStep[]): number {
  const shorter = Math.min(before.length, after.length)
  for (let index = 0; index < shorter; index += 1) {
    const [old, present] = [before[index], after[index]]
    if (old?.key !== present?.key || old?.step.version !== present?.step.version) return index
  }
  return shorter
}

/** Returns texts that are equal when the steps change rows with equal statements. */
export function dataOf(steps: readonly KeyedStep[]): string {
  const statements = steps.flatMap((step) => step.statements)
  return JSON.stringify(statements.filter(({ isData }) => isData).map(({ key }) => key))
}
