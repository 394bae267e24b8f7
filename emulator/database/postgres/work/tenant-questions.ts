// Runs one read many times as one role, each time with other settings and values (engine.ts, TenantQuestions). Each question has
// a transaction of its own, so that none affects another. A few are under way at once.
import { type Answer, SqlError, type TenantQuestions } from '../../engine.ts'
import { CANCELLED } from '../../queue-errors.ts'
import { firstError, parseAnswers } from '../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../wire-protocol/frontend-messages.ts'
import { isStale } from '../../work/work-rules.ts'
import type { ServerConnection } from '../connections/server-connection.ts'
import { afterCompletions } from './after-completions.ts'
import { beyondError, readsBeyond } from './confinement.ts'
import {
  appendBeginning,
  READ_ONLY,
  refusedSetting,
  requireSettable,
  type Settings,
} from './settings.ts'
import type { Running } from './work-limits.ts'

/** Number of questions that are sent together. The server then has the next question at once when it has answered one. */
const AT_ONCE = 8

type Question = TenantQuestions['questions'][number]

/** @throws {SqlError} when settings are refused or the connection is lost */
export async function answerQuestions(
  connection: ServerConnection,
  asked: TenantQuestions,
  running: Running,
): Promise<readonly Answer[]> {
  if (await isBeyond(connection, asked)) return asked.questions.map(() => beyondError())
  const answers: Answer[] = []
  for (let from = 0; from < asked.questions.length; from += AT_ONCE) {
    const some = asked.questions.slice(from, from + AT_ONCE)
    for (const question of some) requireSettable(settingsOf(asked, question))
    const replies = connection.together(() =>
      some.map((question) => send(connection, asked, question)),
    )
    // Prevents unhandled rejections of replies that the loop does not read, because an earlier reply or answer ended it.
    for (const reply of replies) reply.catch(() => undefined)
    for (const [index, reply] of replies.entries()) {
      const question = some[index]
      if (question === undefined) continue
      const answer = await answerOf(connection, asked, question, await reply)
      answers.push(answer)
      if (running.cancelled === undefined || !isCancelled(answer)) continue
      await dropRest(connection, replies.slice(index + 1))
      return [...answers.slice(0, -1), running.explain(answer)]
    }
  }
  return answers
}

// All questions have the same statement and role, so the check of the first question is valid for all.
async function isBeyond(connection: ServerConnection, asked: TenantQuestions): Promise<boolean> {
  const { onlyRelation, questions } = asked
  const [first] = questions
  if (onlyRelation === undefined || first === undefined) return false
  const settings = settingsOf(asked, first)
  requireSettable(settings)
  return await readsBeyond(connection, asked, onlyRelation, settings, first.params)
}

function isCancelled(answer: Answer): answer is SqlError {
  return answer instanceof SqlError && answer.code === CANCELLED
}

async function dropRest(
  connection: ServerConnection,
  replies: readonly Promise<Reply>[],
): Promise<void> {
  for (const reply of replies) {
    connection.cancel()
    await reply
  }
}

interface Reply {
  readonly bytes: Uint8Array
  readonly settings: Settings
  /** Number of statements before the question's own. */
  readonly skipped: number
}

function settingsOf({ settings }: TenantQuestions, question: Question): Settings {
  return [...Object.entries(settings), ...Object.entries(question.settings), READ_ONLY]
}

function send(
  connection: ServerConnection,
  asked: TenantQuestions,
  question: Question,
): Promise<Reply> {
  const { prepared } = connection
  const { statement } = asked
  const all = settingsOf(asked, question)
  const messages = new FrontendMessages()
  const skipped = appendBeginning(messages, connection, all)
  const name = prepared.nameOf(messages, '', statement.text)
  if (name === undefined) messages.parse('', statement.text)
  // Sends no Describe message, because the rows' description is not used.
  messages
    .bind(name ?? '', question.params)
    .execute()
    .sync()
  return connection.exchange(messages.bytes()).then((bytes) => ({ bytes, settings: all, skipped }))
}

async function answerOf(
  connection: ServerConnection,
  asked: TenantQuestions,
  question: Question,
  reply: Reply,
): Promise<Answer> {
  const answer = read(reply)
  if (!(answer instanceof SqlError) || !isStale(answer)) return answer
  await connection.clean()
  return read(await send(connection, asked, question))
}

/** @throws {SqlError} 22023 when a setting was refused */
function read({ bytes, settings, skipped }: Reply): Answer {
  const from = afterCompletions(bytes, skipped)
  if (from !== undefined) return parseAnswers(bytes.subarray(from))[0] ?? []
  const error = firstError(bytes)
  if (error === undefined) return []
  if (error.code === CANCELLED || isStale(error)) return error
  throw refusedSetting(error, settings)
}
