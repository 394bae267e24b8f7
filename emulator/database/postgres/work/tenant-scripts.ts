// Runs an owner's script in the simple query protocol, as `psql` does (engine.ts, TenantWork). Afterwards the session is
// discarded, because a script can change it in any way.
import { SqlError, type TenantWork } from '../../engine.ts'
import { CANCELLED } from '../../queue-errors.ts'
import {
  type BackendReply,
  firstError,
  parseBackendMessages,
} from '../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../wire-protocol/frontend-messages.ts'
import { isHeldOpen } from '../../work/work-rules.ts'
import type { ServerConnection } from '../connections/server-connection.ts'
import { appendBeginning, appendSessionSettings, refusedSetting } from './settings.ts'
import { COPY_FAIL, decide, type Outcome, outputOf, settingsOf } from './tenant-work.ts'
import { withoutControl } from './transaction-control.ts'

const ROLLBACK = new FrontendMessages().query('rollback').bytes()

/** Runs the script, and leaves a clean session. @throws {SqlError} when settings are refused or the connection is lost */
export async function runScript(
  connection: ServerConnection,
  work: TenantWork,
  text: string,
): Promise<Outcome> {
  const isBlock = isHeldOpen(work) || work.end === 'rollback' || work.mode === 'readOnly'
  try {
    return isBlock
      ? await runInBlock(connection, work, text)
      : await runAlone(connection, work, text)
  } finally {
    if (connection.isOpen) await leaveScript(connection)
  }
}

/** Ends a transaction that a script left open, and discards the session's state. @throws {SqlError} 57P02 */
export async function leaveScript(connection: ServerConnection): Promise<void> {
  await connection.exchange(ROLLBACK)
  if (!connection.isCancelPending) await connection.clean()
}

async function runAlone(
  connection: ServerConnection,
  work: TenantWork,
  text: string,
): Promise<Outcome> {
  const settings = settingsOf(work)
  const messages = new FrontendMessages()
  appendSessionSettings(messages, connection, settings)
  const error = firstError(await connection.exchange(messages.sync().bytes()))
  if (error !== undefined) throw error.code === CANCELLED ? error : refusedSetting(error, settings)
  const reply = await send(connection, work, text)
  return { ...reply, committed: reply.error === undefined }
}

async function runInBlock(
  connection: ServerConnection,
  work: TenantWork,
  text: string,
): Promise<Outcome> {
  const settings = settingsOf(work)
  const allowed = await withoutControl(text, false)
  const messages = new FrontendMessages().statement('begin')
  appendBeginning(messages, connection, settings)
  const error = firstError(await connection.exchange(messages.sync().bytes()))
  if (error !== undefined) throw error.code === CANCELLED ? error : refusedSetting(error, settings)
  const output = outputOf(work)
  const reply = await send(connection, work, allowed.text, output)
  return await decide(connection, work, withRefusal(reply, allowed.refusal), output)
}

async function send(
  connection: ServerConnection,
  work: TenantWork,
  text: string,
  output = outputOf(work),
): Promise<BackendReply> {
  const messages = new FrontendMessages().query(text).append(COPY_FAIL).bytes()
  return parseBackendMessages(await connection.exchange(messages, output))
}

/** Adds the error of the statement before which the script was cut. */
export function withRefusal(reply: BackendReply, refusal: SqlError | undefined): BackendReply {
  if (reply.error !== undefined || refusal === undefined) return reply
  const results = reply.results.filter(({ commandTag }) => commandTag !== '')
  const facts = { ...refusal.facts, statementsDone: results.length }
  return { ...reply, results, error: new SqlError(refusal.code, refusal.message, facts) }
}
