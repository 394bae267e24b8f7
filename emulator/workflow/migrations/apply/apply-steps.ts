// Runs the pending steps in one project. One call of db/exec runs a step and records it in the ledger, so both are one
// transaction. A failed step leaves the project unchanged.
import { lineAt, type SqlParser, SqlSyntaxError } from '../../../database/sql-parser.ts'
import {
  adoptClone,
  type Ledger,
  type LedgerEntry,
  ledgerAfter,
  recordEntry,
  wholeEntry,
} from '../ledger/ledger.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import { mayChangeData } from '../redo/data-statements.ts'
import { keepAfter, keepBefore } from '../redo/kept-rows.ts'
import {
  type ComparedStep,
  checksumOfPart,
  compareSteps,
  conflictOf,
  pendingSteps,
} from '../steps/compare-steps.ts'
import { splitStatements } from '../steps/statements.ts'
import type { Step } from '../steps/step.ts'
import { baselineOf, recordBaseline } from './baseline.ts'
import { type Exec, type ExecOutcome, FleetFailure } from './fleet.ts'
import { failureOf, failureOfFleet, locateFailure, type StepFailure } from './step-failure.ts'

export interface StepsOutcome {
  /** Versions of the steps that ran to their end, in order. */
  readonly applied: readonly string[]
  /** Versions of the steps that have not run. */
  readonly pending: readonly string[]
  readonly failure: StepFailure | undefined
}

export interface ApplyOptions {
  /** Compares the steps with the ledger, and runs nothing. */
  readonly isDryRun?: boolean
  /** In a project without a ledger, steps up to this version are recorded as applied and do not run. */
  readonly baseline?: string | undefined
  /** Keeps the rows that steps change, so that the steps can be undone (redo/kept-rows.ts). */
  readonly keepsRows?: boolean
}

/** Maximum number of attempts to run one transaction when answers get lost. Each new attempt reads the ledger first. */
const MAX_ATTEMPTS = 3
/** SQLSTATE when the ledger already has an entry for the step, or when another run has continued the entry. */
const UNIQUE_VIOLATION = '23505'

/** Applies the pending steps in order until one fails. Reports failures, including those of the fleet. */
export async function applySteps(
  exec: Exec,
  steps: readonly Step[],
  parser: SqlParser,
  { baseline, isDryRun = false, keepsRows = false }: ApplyOptions = {},
): Promise<StepsOutcome> {
  const applied: string[] = []
  let pending: readonly string[] = []
  let running: string | undefined
  const ended = (failure?: StepFailure): StepsOutcome => ({ applied, pending, failure })
  try {
    const read = await persistently(() => readLedger(exec))
    if (read.kind === 'failed') return ended(failureOf(read))
    let { ledger } = read
    const isUnknown = baseline !== undefined && ledger.source === 'none'
    const known = isUnknown ? steps.filter(({ version }) => version <= baseline) : []
    if (isUnknown && !isDryRun) ledger = await recordBaseline(exec, ledger, known)
    const compared = compareSteps(steps, isUnknown ? baselineOf(known) : ledger.applied, parser)
    const conflict = conflictOf(compared)
    const waiting = pendingSteps(compared)
    pending = waiting.map(({ version }) => version)
    if (conflict !== undefined) return ended(failureOf({ code: 'conflict', message: conflict }))
    if (isDryRun) return ended()
    if (keepsRows && waiting.length > 0 && ledger.source === 'comment') {
      await exec(adoptClone(ledger))
      ledger = { ...ledger, source: 'rows' }
    }
    for (const one of waiting) {
      running = one.step?.file
      const outcome = await runStep({ exec, parser, keepsRows }, one, ledger)
      if ('code' in outcome) return ended(outcome)
      ledger = outcome
      applied.push(one.version)
      pending = pending.slice(1)
    }
    return ended()
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error
    return ended({ ...failureOfFleet(error), step: running })
  }
}

interface Running {
  readonly exec: Exec
  readonly parser: SqlParser
  readonly keepsRows: boolean
}

/** The text of one transaction, the ledger's entry for it, and the line of the file at which the text begins. */
export interface Unit {
  readonly entry: LedgerEntry
  readonly text: string
  readonly line: number
}

/** Runs one step. Returns the ledger after the step, or the failure. */
async function runStep(
  running: Running,
  { applied, step }: ComparedStep,
  before: Ledger,
): Promise<Ledger | StepFailure> {
  if (step === undefined) return before
  const units = unitsOf(running.parser, step, applied?.statements_done ?? 0)
  if ('code' in units) return units
  let ledger = before
  for (const unit of units) {
    const outcome = await runUnit(running, unit, ledger)
    if (outcome.kind === 'failed')
      return locateFailure(running.parser, unit.entry.step.file, unit, outcome)
    ledger = ledgerAfter(ledger, unit.entry)
  }
  return ledger
}

/**
 * Returns the remaining transactions of a step. A step without statements is one empty transaction.
 * @param done number of statements that already ran, when the step was interrupted
 */
export function unitsOf(
  parser: SqlParser,
  step: Step,
  done: number,
): readonly Unit[] | StepFailure {
  if (step.isTransactional) return [{ entry: wholeEntry(step), text: step.sql, line: 1 }]
  try {
    const statements = splitStatements(parser, step.sql)
    if (statements.length === 0) return [{ entry: wholeEntry(step), text: '', line: 1 }]
    return statements.slice(done).map(({ line, text }, index) => {
      const doneBefore = done + index
      const isLast = doneBefore + 1 === statements.length
      const statementsDone = isLast ? null : doneBefore + 1
      const part = isLast ? undefined : checksumOfPart(parser, step, doneBefore + 1)
      return {
        entry: { step, checksum: part ?? step.checksum, statementsDone, doneBefore },
        text,
        line,
      }
    })
  } catch (error) {
    if (!(error instanceof SqlSyntaxError)) throw error
    const line = error.index === undefined ? undefined : lineAt(step.sql, error.index)
    const { message, sqlState: code } = error
    return { ...failureOf({ code, message }), step: step.file, line }
  }
}

/**
 * Runs one transaction of a step. When its answer is lost or another run was faster, the ledger says whether the transaction was
 * carried out.
 */
async function runUnit(running: Running, unit: Unit, ledger: Ledger): Promise<ExecOutcome> {
  const { exec } = running
  const text = `${recordEntry(ledger, unit.entry)} ${textOf(running, unit)}`
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcome = await exec(text)
      const isDoubtful =
        outcome.kind === 'failed' && (outcome.code === UNIQUE_VIOLATION || attempt > 1)
      return isDoubtful && (await isRecorded(exec, unit.entry))
        ? { kind: 'done', rows: [] }
        : outcome
    } catch (error) {
      if (!(error instanceof FleetFailure) || error.kind !== 'lost') throw error
      if (await isRecorded(exec, unit.entry)) return { kind: 'done', rows: [] }
      if (attempt === MAX_ATTEMPTS) throw error
    }
  }
}

function textOf({ keepsRows, parser }: Running, { entry, text }: Unit): string {
  if (!keepsRows || !mayChangeData(parser, text)) return text
  const { version } = entry.step
  return `${keepBefore(version, entry.doneBefore)} ${text}\n;${keepAfter(version)}`
}

async function isRecorded(
  exec: Exec,
  { checksum, statementsDone, step }: LedgerEntry,
): Promise<boolean> {
  const read = await persistently(() => readLedger(exec))
  if (read.kind === 'failed') return false
  const kept = read.ledger.applied.find(({ version }) => version === step.version)
  return kept?.checksum === checksum && kept.statements_done === statementsDone
}

/** Repeats a reading call when its answer is lost. @throws {FleetFailure} */
async function persistently<Value>(read: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await read()
    } catch (error) {
      const isLost = error instanceof FleetFailure && error.kind === 'lost'
      if (!isLost || attempt === MAX_ATTEMPTS) throw error
    }
}
