// Turns the pending steps of a project into the scripts that db/exec would run. Each script includes its entry in the ledger,
// and is analysed and rewritten like any SQL of an owner. Also finds the statement and the line of an error in a script. Pure.

import type { SchemaName } from '../../../core/names.ts'
import type { SqlError } from '../../../database/engine.ts'
import { type TenantScript, tenantScript } from '../../../database/sql.ts'
import {
  firstWordOf,
  indexOfCharacter,
  lineAt,
  type SqlParser,
} from '../../../database/sql-parser.ts'
import { analyseScript } from '../../../platform/owner-sql/analyse-script.ts'
import { unitsOf } from '../apply/apply-steps.ts'
import type { StepFailure } from '../apply/step-failure.ts'
import { type Ledger, ledgerAfter, recordEntry } from '../ledger/ledger.ts'
import type { ComparedStep } from '../steps/compare-steps.ts'
import { splitStatements } from '../steps/statements.ts'

/** The script of one transaction of a step. */
export interface StepScript {
  /** File name of the step. */
  readonly file: string
  readonly script: TenantScript
  /** The script without the ledger's entry, which does not affect what identities see. */
  readonly withoutEntry: TenantScript
  /** The ledger's entry alone. */
  readonly entry: TenantScript
  /** The step's own text, without the ledger's entry and as it was written. */
  readonly text: string
  /** The string index in `script` at which the step's own text begins. */
  readonly start: number
  /** The line of the file at which the step's own text begins. */
  readonly line: number
  /** Whether the script adds a value to an enum. The script's own transaction cannot use this value. */
  readonly addsEnumValue: boolean
}

export interface StepScripts {
  /** The scripts before the first problem. */
  readonly scripts: readonly StepScript[]
  /** Why the next script cannot run; `undefined` without a problem. */
  readonly problem: StepFailure | undefined
}

/** @param pending the steps that have to run, the oldest first */
export function stepScripts(
  parser: SqlParser,
  schemaName: SchemaName,
  pending: readonly ComparedStep[],
  before: Ledger,
): StepScripts {
  const scripts: StepScript[] = []
  let ledger = before
  for (const { applied, step } of pending) {
    if (step === undefined) continue
    const units = unitsOf(parser, step, applied?.statements_done ?? 0)
    if ('code' in units) return { scripts, problem: units }
    for (const unit of units) {
      const { entry, line, text } = unit
      const record = recordEntry(ledger, entry)
      const made = scriptOf(parser, schemaName, { file: entry.step.file, line, record, text })
      if ('code' in made) return { scripts, problem: made }
      scripts.push(made)
      ledger = ledgerAfter(ledger, unit.entry)
    }
  }
  return { scripts, problem: undefined }
}

interface RecordedText {
  readonly file: string
  /** 1-based line of the file at which the text begins. */
  readonly line: number
  /** The SQL that changes the ledger, on one line. */
  readonly record: string
  readonly text: string
}

/** Returns the script that db/exec would run, or why db/exec would refuse the script. */
export function scriptOf(
  parser: SqlParser,
  schemaName: SchemaName,
  { file, line: firstLine, record: written, text }: RecordedText,
): StepScript | StepFailure {
  const record = `${written} `
  const analysis = analyseScript(parser, record + text, schemaName)
  const at = { step: file, statement: undefined, isUnauthorized: false }
  switch (analysis.kind) {
    case 'ready':
      return {
        file,
        script: tenantScript(analysis.text),
        withoutEntry: tenantScript(analysis.text.slice(record.length)),
        entry: tenantScript(record),
        text,
        start: record.length,
        line: firstLine,
        addsEnumValue: parser.parse(text).some(({ kind }) => kind === 'AlterEnumStmt'),
      }
    case 'refused': {
      const { code, hint, message } = analysis.refusal
      return { ...at, line: undefined, code, message: `${message} ${hint}` }
    }
    case 'broken': {
      const line = analysis.line === undefined ? undefined : firstLine + analysis.line - 1
      return { ...at, line, code: analysis.code, message: analysis.message }
    }
    default:
      return analysis satisfies never
  }
}

/** SQLSTATE dependent_objects_still_exist. */
const DEPENDENT_OBJECTS = '2BP01'

/** @param statementsDone number of the script's statements that completed before the error */
export function locateError(
  parser: SqlParser,
  { file, line: firstLine, script: { text }, start, text: ownText }: StepScript,
  { code, facts, message }: SqlError,
  statementsDone: number,
): StepFailure {
  const statements = parser.parse(text)
  const failed = statements[statementsDone]
  const from = failed === undefined ? undefined : firstWordOf(text, failed)
  // The detail names the dependent objects, without which the message of this error does not help.
  const objects = code === DEPENDENT_OBJECTS && facts.details !== undefined
  const words = objects ? `${message}: ${facts.details.replaceAll('\n', '; ')}` : message
  const problem = { step: file, code, message: words, isUnauthorized: false }
  // Statements of the ledger come before the step's own statements, and the platform's last query comes after them. Their errors
  // have no place in the step.
  if (failed === undefined || from === undefined || from < start || failed === statements.at(-1))
    return { ...problem, statement: undefined, line: undefined }
  const { position } = facts
  const index = position === undefined ? from : indexOfCharacter(text, position - 1)
  const ledgerStatements = statements.filter((one) => firstWordOf(text, one) < start).length
  const written = splitStatements(parser, ownText)
  const isAligned = written.length === statements.length - ledgerStatements - 1
  const asWritten = isAligned ? written[statementsDone - ledgerStatements]?.text : undefined
  return {
    ...problem,
    statement: asWritten ?? text.slice(from, failed.end).trimEnd(),
    line: firstLine + lineAt(text, index) - 1,
  }
}
