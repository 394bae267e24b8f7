// Runs a tenant's statements on a connection of their role. Settings, statements and commit are one round trip when nothing has
// to be decided in between (engine.ts, TenantWork).
import {
  type Notice,
  RESULT_TOO_LARGE,
  SqlError,
  type StatementResult,
  type TenantWork,
} from '../../engine.ts'
import { CANCELLED } from '../../queue-errors.ts'
import type { Sql } from '../../sql.ts'
import {
  type BackendReply,
  firstError,
  parseBackendMessages,
} from '../../wire-protocol/backend-messages.ts'
import { BoundedOutput } from '../../wire-protocol/bounded-output.ts'
import { FrontendMessages } from '../../wire-protocol/frontend-messages.ts'
import { COPY_REFUSED, holds, isHeldOpen, isStale, tooLargeText } from '../../work/work-rules.ts'
import type { ServerConnection } from '../connections/server-connection.ts'
import { afterCompletions } from './after-completions.ts'
import {
  appendBeginning,
  READ_ONLY,
  refusedSetting,
  requireSettable,
  type Settings,
} from './settings.ts'

/** What the work did, or the error that undid it. */
export interface Outcome {
  readonly results: readonly StatementResult[]
  readonly notices: readonly Notice[]
  readonly error: SqlError | undefined
  readonly committed: boolean
}

const READ_ONLY_TRANSACTION = '25006'
/** Ends COPY FROM STDIN with an error. Other statements ignore this message. */
export const COPY_FAIL: Uint8Array = new FrontendMessages().copyFail(COPY_REFUSED).bytes()
const END = new FrontendMessages().copyFail(COPY_REFUSED).sync().bytes()
const CHECK_DEFERRED = new FrontendMessages().query('set constraints all immediate').bytes()
const ROLLBACK = new FrontendMessages().query('rollback').bytes()
const BEGIN = 'begin'
const COMMIT = 'commit'

/** The settings of the work's transaction, in the order in which they are set. */
export function settingsOf(work: TenantWork): Settings {
  const { settings, mode } = work
  const all: (readonly [string, string])[] = Object.entries(settings)
  if (mode === 'readOnly') all.push(READ_ONLY)
  requireSettable(all)
  return all
}

/** Runs statements with parameters. @throws {SqlError} when settings are refused or the connection is lost */
export async function runStatements(
  connection: ServerConnection,
  work: TenantWork,
  statements: readonly Sql[],
): Promise<Outcome> {
  const first = await attempt(connection, work, statements)
  if (first.error === undefined || !mayPass(first.error, work)) return first
  await connection.clean()
  return await attempt(connection, work, statements)
}

// A function can make the session's later transactions read-only. The reset runs inside the next transaction, which is still
// read-only, so the work is tried again.
function mayPass(error: SqlError, { mode }: TenantWork): boolean {
  return isStale(error) || (error.code === READ_ONLY_TRANSACTION && mode === 'readWrite')
}

async function attempt(
  connection: ServerConnection,
  work: TenantWork,
  statements: readonly Sql[],
): Promise<Outcome> {
  const { prepared } = connection
  const isHeld = isHeldOpen(work)
  const settings = settingsOf(work)
  const messages = new FrontendMessages()
  if (isHeld) messages.bind(prepared.keptName(messages, BEGIN), []).execute()
  const skipped = appendBeginning(messages, connection, settings) + (isHeld ? 1 : 0)
  for (const statement of statements) prepared.append(messages, '', statement)
  messages.append(END)
  const output = outputOf(work)
  const bytes = await connection.exchange(messages.bytes(), output)
  const reply = replyAfter(bytes, skipped, settings)
  if (reply instanceof SqlError) {
    if (isHeld) await rollBack(connection)
    throw reply
  }
  if (isHeld) return await decide(connection, work, reply, output)
  refuseCut(work, output)
  return { ...reply, committed: reply.error === undefined && work.end === 'commit' }
}

/** The output that applies the work's limit. */
export function outputOf({ maxResultBytes }: TenantWork): BoundedOutput | undefined {
  return maxResultBytes === undefined ? undefined : new BoundedOutput(maxResultBytes)
}

// Returns the reply without the results of the settings, which come first, or the error of a refused setting.
function replyAfter(
  bytes: Uint8Array,
  skipped: number,
  settings: Settings,
): BackendReply | SqlError {
  const from = afterCompletions(bytes, skipped)
  if (from !== undefined) return parseBackendMessages(from === 0 ? bytes : bytes.subarray(from))
  const reply = parseBackendMessages(bytes)
  const { error } = reply
  if (error === undefined || error.code === CANCELLED || isStale(error))
    return { ...reply, results: [] }
  return refusedSetting(error, settings)
}

function isTooLarge(
  { refusesLargeResults }: TenantWork,
  output: BoundedOutput | undefined,
): boolean {
  return refusesLargeResults === true && output?.isCut === true
}

function refuseCut(work: TenantWork, output: BoundedOutput | undefined): void {
  if (isTooLarge(work, output)) throw new SqlError(RESULT_TOO_LARGE, tooLargeText(work))
}

/** Checks the result while the transaction is open, then commits or rolls back. @throws {SqlError} as `runStatements` */
export async function decide(
  connection: ServerConnection,
  work: TenantWork,
  reply: BackendReply,
  output: BoundedOutput | undefined,
): Promise<Outcome> {
  const { prepared } = connection
  if (reply.error !== undefined || isTooLarge(work, output)) {
    await rollBack(connection)
    if (reply.error === undefined) refuseCut(work, output)
    return { ...reply, committed: false }
  }
  if (work.end === COMMIT && holds(work.postcondition, reply.results)) {
    const messages = new FrontendMessages()
    messages.bind(prepared.keptName(messages, COMMIT), []).execute().sync()
    const { error, notices } = parseBackendMessages(await connection.exchange(messages.bytes()))
    return { ...joined(reply, notices, error), committed: error === undefined }
  }
  const [deferred] = await Promise.all([connection.exchange(CHECK_DEFERRED), rollBack(connection)])
  const { error, notices } = parseBackendMessages(deferred)
  return { ...joined(reply, notices, error), committed: false }
}

async function rollBack(connection: ServerConnection): Promise<void> {
  const messages = new FrontendMessages()
  messages.bind(connection.prepared.keptName(messages, 'rollback'), []).execute().sync()
  const error = firstError(await connection.exchange(messages.bytes()))
  // The statement was deallocated or cancelled, and the transaction is still open.
  if (error !== undefined) await connection.exchange(ROLLBACK)
}

function joined(
  { results, notices }: BackendReply,
  later: readonly Notice[],
  error: SqlError | undefined,
): Omit<Outcome, 'committed'> {
  const statementsDone = results.length
  return {
    results,
    notices: later.length === 0 ? notices : [...notices, ...later],
    error:
      error === undefined
        ? undefined
        : new SqlError(error.code, error.message, { ...error.facts, statementsDone }),
  }
}
