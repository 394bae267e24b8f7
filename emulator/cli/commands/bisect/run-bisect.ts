// Runs `tenantry bisect`: saves the present state, and runs the command on past states, which a binary search chooses.
import type { RowHistoryEntry } from '../../../contract/history.ts'
import { SystemClock } from '../../../core/clock.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { printable } from '../../../core/printable.ts'
import type { RunningEmulator } from '../../../platform/http-client/running-emulator.ts'
import { firstTenant } from '../../first-tenant.ts'
import { counted } from '../../report.ts'
import { emulatorOf, printAnswer, type RunningOptions } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import { endOfMissing, runChild } from '../exec/run-child.ts'
import { changeLines } from '../history.ts'
import { firstFailing } from './first-failing.ts'

/** The parsed options of the command line. */
export interface BisectOptions extends RunningOptions {
  readonly tenant: string | undefined
  readonly since: string | undefined
}

class BisectError extends EmulatorError {
  override readonly code = 'bisect_failed'
}

const SHOWN_CHANGES = 20

/** Returns the exit code. @throws {EmulatorError} */
export async function runBisect(
  command: readonly string[],
  options: BisectOptions,
): Promise<number> {
  const missing = endOfMissing(command)
  if (missing?.startFailure !== undefined) throw new BisectError(missing.startFailure)
  const emulator = emulatorOf(options)
  const ref = options.tenant ?? (await firstTenant(emulator, '--tenant'))
  const transactions = await transactionsOf(emulator, ref, options.since)
  if (transactions.length === 0)
    throw new BisectError('No change is recorded that could be searched.', {
      hint: 'Name an earlier time with --since, and start the emulator without --no-history.',
    })
  const name = `before-bisect-${process.pid}`
  await emulator.call('POST /snapshots', { body: { name, note: 'made by tenantry bisect' } })
  const { stderr } = terminal()
  stderr.write(
    `${counted(transactions.length, 'transaction')} to search. Snapshot ${name} has the present state.\n`,
  )
  const restore = (): Promise<unknown> =>
    emulator.call('POST /snapshots/:name/restore', { params: { name } })
  const passesAfter = async (count: number): Promise<boolean> => {
    const next = transactions[count]
    try {
      if (next !== undefined) await takeBackFrom(emulator, ref, next)
      const passes = await runOnce(command)
      stderr.write(`${passes ? 'passes' : 'fails '} after ${counted(count, 'transaction')}\n`)
      return passes
    } finally {
      if (next !== undefined) await restore()
    }
  }
  const found = await firstFailing(transactions.length, passesAfter)
  await emulator.call('DELETE /snapshots/:name', { params: { name } })
  const first = typeof found === 'number' ? transactions[found] : undefined
  const words = typeof found === 'number' ? '' : NOT_FOUND[found]
  const outcome = typeof found === 'number' ? 'found' : found
  const answer = { outcome, found: first ?? null }
  printAnswer(options, answer, first === undefined ? words : foundLines(first))
  return first === undefined ? 1 : 0
}

type NotFound = 'passes_now' | 'fails_before'

const NOT_FOUND: Readonly<Record<NotFound, string>> = {
  passes_now: 'The command passes on the present state, so there is nothing to find.',
  fails_before:
    'The command fails on the oldest state, too. Try an earlier --since, or another command.',
}

interface Transaction {
  readonly transaction: string
  readonly request_id: string | null
  /** The first sequence of the transaction. */
  readonly sequence: number
  /** The changes of the transaction, the oldest first. */
  readonly changes: readonly RowHistoryEntry[]
}

const PAGE = 1_000

async function transactionsOf(
  emulator: RunningEmulator,
  ref: string,
  since: string | undefined,
): Promise<readonly Transaction[]> {
  const from = since === undefined ? 0 : await sequenceOf(emulator, ref, since)
  const found: RowHistoryEntry[] = []
  for (let before: number | undefined; ; before = found.at(-1)?.sequence) {
    const query = { limit: PAGE, ...(before === undefined ? {} : { before }) }
    const page = await emulator.call('GET /projects/:ref/history', { params: { ref }, query })
    found.push(...page.changes)
    if (!page.has_more || page.changes.length === 0) break
  }
  const groups = Map.groupBy(
    found.filter(({ sequence }) => sequence >= from).reverse(),
    ({ transaction }) => transaction,
  )
  return [...groups.values()]
    .map(
      (changes): Transaction => ({
        transaction: changes[0]?.transaction ?? '',
        request_id: changes[0]?.request_id ?? null,
        sequence: Math.min(...changes.map(({ sequence }) => sequence)),
        changes,
      }),
    )
    .toSorted((one, other) => one.sequence - other.sequence)
}

async function sequenceOf(emulator: RunningEmulator, ref: string, since: string): Promise<number> {
  const answer = await emulator.call('POST /projects/:ref/sql', {
    params: { ref },
    body: { sql: 'select 1', identity: 'owner', mode: 'read_only', at: since },
  })
  return answer.past?.before_sequence ?? 0
}

async function takeBackFrom(
  emulator: RunningEmulator,
  ref: string,
  { sequence }: Transaction,
): Promise<void> {
  const { conflicts, is_applied } = await emulator.call('POST /projects/:ref/undo', {
    params: { ref },
    body: { since: String(sequence), apply: true },
  })
  if (!is_applied)
    throw new BisectError(
      `The changes since ${sequence} cannot be taken back: ${conflicts[0]?.message ?? 'unknown reason'}`,
      { hint: 'Search later changes with --since.' },
    )
}

/** @throws {BisectError} when a signal ended the command, such as that of Ctrl-C */
async function runOnce(command: readonly string[]): Promise<boolean> {
  const end = await runChild(command, { env: process.env, wallClock: new SystemClock() })
  if (end.signal !== null)
    throw new BisectError(`${end.signal} ended the command. The present state was restored.`, {
      hint: 'Run "tenantry bisect" again to search.',
    })
  return end.exitCode === 0
}

function foundLines({ changes, request_id: requestId, transaction }: Transaction): string {
  const by = requestId === null ? `transaction ${transaction}` : `request ${printable(requestId)}`
  const more = changes.length - SHOWN_CHANGES
  return [
    `The first change after which the command fails: ${by}.`,
    ...changes.slice(0, SHOWN_CHANGES).flatMap(changeLines),
    ...(more > 0 ? [`… and ${counted(more, 'more change')}`] : []),
  ].join('\n')
}
