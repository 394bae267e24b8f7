// Why a step, or a whole project, failed in a rollout. Pure.
import type { SqlParser } from '../../../database/sql-parser.ts'
import { splitStatements, statementAtLine } from '../steps/statements.ts'
import type { ExecOutcome, FleetFailure } from './fleet.ts'

export interface StepFailure {
  /** File name of the step; `undefined` when no step was running. */
  readonly step: string | undefined
  readonly statement: string | undefined
  /** 1-based line of the file. */
  readonly line: number | undefined
  /** SQLSTATE, the code of a refusal, or `conflict` when the steps do not fit the ledger. */
  readonly code: string
  readonly message: string
  /** Whether the platform would refuse further calls with the same credential, too. */
  readonly isUnauthorized: boolean
}

export function failureOf({
  code,
  message,
}: {
  readonly code: string
  readonly message: string
}): StepFailure {
  const nowhere = { step: undefined, statement: undefined, line: undefined }
  return { ...nowhere, code, message, isUnauthorized: false }
}

export function failureOfFleet({ code, hint, kind, message }: FleetFailure): StepFailure {
  const text = [message, hint].filter(Boolean).join(' ')
  return { ...failureOf({ code, message: text }), isUnauthorized: kind === 'unauthorized' }
}

/** Finds the statement and the line in the step's file for the failing line of a script. */
export function locateFailure(
  parser: SqlParser,
  file: string,
  { line: firstLine, text }: { readonly text: string; readonly line: number },
  { code, line: lineInText, message }: ExecOutcome & { readonly kind: 'failed' },
): StepFailure {
  const line = lineInText === undefined ? undefined : firstLine + lineInText - 1
  const statement = statementOf(parser, text, lineInText)
  return { ...failureOf({ code, message }), step: file, line, statement }
}

function statementOf(
  parser: SqlParser,
  text: string,
  line: number | undefined,
): string | undefined {
  try {
    const statements = splitStatements(parser, text)
    const found = line === undefined ? undefined : statementAtLine(statements, line)
    return (found ?? (statements.length === 1 ? statements[0] : undefined))?.text
  } catch {
    return undefined
  }
}
