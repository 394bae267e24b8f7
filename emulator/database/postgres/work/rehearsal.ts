// Rehearses an owner's scripts: runs them in one transaction, answers questions before and after them, and rolls everything
// back (../../rehearsal.ts). The connection's login can become the owner and every role of requests.
import { type Answer, SqlError } from '../../engine.ts'
import { CANCELLED } from '../../queue-errors.ts'
import type {
  Rehearsal,
  RehearsalQuestions,
  RehearsalResult,
  RehearsedScript,
} from '../../rehearsal.ts'
import {
  type BackendReply,
  firstError,
  parseBackendMessages,
} from '../../wire-protocol/backend-messages.ts'
import { BoundedOutput } from '../../wire-protocol/bounded-output.ts'
import { FrontendMessages } from '../../wire-protocol/frontend-messages.ts'
import type { ServerConnection } from '../connections/server-connection.ts'
import { RehearsalSequences } from './rehearsal-sequences.ts'
import {
  appendSettings,
  READ_ONLY,
  refusedSetting,
  requireSettable,
  type Settings,
} from './settings.ts'
import { leaveScript, withRefusal } from './tenant-scripts.ts'
import { COPY_FAIL } from './tenant-work.ts'
import { withoutControl } from './transaction-control.ts'

const query = (text: string): Uint8Array => new FrontendMessages().query(text).bytes()
const BEGIN = query('begin')
const SAVEPOINT = query('savepoint tenantry_question')
const ROLL_BACK_QUESTION = query('rollback to savepoint tenantry_question')
const RELEASE = query('release savepoint tenantry_question')
// The state of a new transaction, except for constraints that are deferrable and initially immediate.
const NEXT_SCRIPT = query('reset all; set constraints all deferred')
const CHECK_DEFERRED = query('set constraints all immediate')
const ROLLBACK = query('rollback')

/**
 * @param preciseNow wall-clock milliseconds for durations
 * @throws {SqlError} when a setting or role is refused, the rehearsal is cancelled or the connection is lost
 */
export async function runRehearsal(
  connection: ServerConnection,
  rehearsal: Rehearsal,
  preciseNow: () => number,
): Promise<RehearsalResult> {
  const started = preciseNow()
  const run = new RehearsalRun(connection, rehearsal, preciseNow)
  try {
    const result = await run.perform()
    return { ...result, durationMillis: preciseNow() - started, cleanUpMillis: 0 }
  } finally {
    if (connection.isOpen) await leaveScript(connection)
  }
}

class RehearsalRun {
  readonly #connection: ServerConnection
  readonly #rehearsal: Rehearsal
  readonly #preciseNow: () => number

  constructor(connection: ServerConnection, rehearsal: Rehearsal, preciseNow: () => number) {
    this.#connection = connection
    this.#rehearsal = rehearsal
    this.#preciseNow = preciseNow
  }

  async perform(): Promise<Pick<RehearsalResult, 'scripts' | 'before' | 'after'>> {
    const { actor, after, before } = this.#rehearsal
    this.#connection.tidy()
    await this.#own(BEGIN)
    await this.#apply(actor.role, [])
    const sequences = await RehearsalSequences.read(this.#connection, actor)
    const earlier = await this.#askAll(before)
    const scripts = await this.#runScripts()
    const isApplied = scripts.at(-1)?.error === undefined
    const later = isApplied ? await this.#askAll(after) : []
    await this.#own(ROLLBACK)
    await sequences.restore()
    return { scripts, before: earlier, after: later }
  }

  async #runScripts(): Promise<readonly RehearsedScript[]> {
    const { actor, scripts, settings } = this.#rehearsal
    const done: RehearsedScript[] = []
    for (const [index, { text }] of scripts.entries()) {
      if (index > 0) await this.#own(NEXT_SCRIPT)
      await this.#apply(actor.role, Object.entries(settings))
      const started = this.#preciseNow()
      const { error, results } = await this.#runScript(text)
      if (error?.code === CANCELLED) throw error
      done.push({ results, error, durationMillis: this.#preciseNow() - started })
      if (error !== undefined) break
    }
    return done
  }

  async #runScript(text: string): Promise<BackendReply> {
    const allowed = await withoutControl(text, true)
    const messages = new FrontendMessages().query(allowed.text).append(COPY_FAIL).bytes()
    const output = new BoundedOutput(this.#rehearsal.maxResultBytes)
    const bytes = await this.#connection.exchange(messages, output)
    const reply = withRefusal(parseBackendMessages(bytes), allowed.refusal)
    if (reply.error !== undefined) return reply
    const deferred = firstError(await this.#connection.exchange(CHECK_DEFERRED))
    return { ...reply, error: deferred }
  }

  async #askAll(groups: readonly RehearsalQuestions[]): Promise<readonly Answer[]> {
    if (groups.length === 0) return []
    const answers: Answer[] = []
    await this.#own(SAVEPOINT)
    for (const group of groups)
      for (const question of group.questions) {
        const settings = [...Object.entries(group.settings), ...Object.entries(question.settings)]
        await this.#apply(group.role, [...settings, READ_ONLY])
        answers.push(await this.#ask(group, question.params))
        await this.#own(ROLL_BACK_QUESTION)
      }
    await this.#own(RELEASE)
    return answers
  }

  async #ask(
    { statement: { text } }: RehearsalQuestions,
    params: RehearsalQuestions['questions'][number]['params'],
  ): Promise<Answer> {
    const { prepared } = this.#connection
    const messages = new FrontendMessages()
    prepared.append(messages, '', { text, params })
    const output = new BoundedOutput(this.#rehearsal.maxResultBytes)
    const bytes = await this.#connection.exchange(messages.append(COPY_FAIL).sync().bytes(), output)
    const { error, results } = parseBackendMessages(bytes)
    if (error?.code === CANCELLED) throw error
    // The statement may not have been prepared, so its name is not used again.
    if (error !== undefined) prepared.forgetNames()
    return error ?? results[0]?.rows ?? []
  }

  /** Takes the role and the settings until the transaction ends, or to the next savepoint that is rolled back. */
  async #apply(role: string, given: Settings): Promise<void> {
    const settings: Settings = [['role', role], ...given.filter(([name]) => name !== 'role')]
    requireSettable(settings)
    const messages = new FrontendMessages()
    appendSettings(messages, this.#connection.prepared, settings)
    const error = firstError(await this.#connection.exchange(messages.sync().bytes()))
    if (error !== undefined)
      throw error.code === CANCELLED ? error : refusedSetting(error, settings)
  }

  /** Sends a statement of the engine's own, which fails only when it is cancelled. */
  async #own(messages: Uint8Array): Promise<void> {
    const error = firstError(await this.#connection.exchange(messages))
    if (error !== undefined) throw new SqlError(error.code, error.message, error.facts)
  }
}
