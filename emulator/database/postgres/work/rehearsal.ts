// Rehearses an owner's scripts: runs them in one transaction, answers questions before and after them, and rolls everything
// back (../../rehearsal.ts). The connection's login can become the owner and every role of requests.

import type { Actor } from '../../../core/principal.ts'
import { type Answer, cellText, SqlError } from '../../engine.ts'
import { CANCELLED } from '../../queue-errors.ts'
import type {
  Rehearsal,
  RehearsalQuestions,
  RehearsalResult,
  RehearsedScript,
} from '../../rehearsal.ts'
import type { SqlParam } from '../../sql.ts'
import {
  type BackendReply,
  firstError,
  parseBackendMessages,
} from '../../wire-protocol/backend-messages.ts'
import { BoundedOutput } from '../../wire-protocol/bounded-output.ts'
import { FrontendMessages } from '../../wire-protocol/frontend-messages.ts'
import {
  askAll,
  CHECK_DEFERRED,
  type RehearsalStep,
  type RehearsalSteps,
  runScripts,
} from '../../work/rehearsal-script.ts'
import type { ServerConnection } from '../connections/server-connection.ts'
import { appendSettings, refusedSetting, requireSettable, type Settings } from './settings.ts'
import { leaveScript, withRefusal } from './tenant-scripts.ts'
import { COPY_FAIL } from './tenant-work.ts'
import { withoutControl } from './transaction-control.ts'

const query = (text: string): Uint8Array => new FrontendMessages().query(text).bytes()
const BEGIN = query('begin')
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
  readonly #scripts: RehearsedScript[] = []
  readonly #answers = { before: [] as Answer[], after: [] as Answer[] }

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
    await this.#drive(askAll('before', before))
    const isApplied = await this.#drive(runScripts(this.#rehearsal))
    if (isApplied) await this.#drive(askAll('after', after))
    await this.#own(ROLLBACK)
    await sequences.restore()
    return { scripts: this.#scripts, ...this.#answers }
  }

  async #drive<Result>(steps: RehearsalSteps<RehearsalQuestions, Result>): Promise<Result> {
    let next = steps.next()
    while (next.done !== true) next = steps.next(await this.#carryOut(next.value))
    return next.value
  }

  async #carryOut(step: RehearsalStep<RehearsalQuestions>): Promise<boolean> {
    switch (step.kind) {
      case 'own':
        await this.#own(step.messages)
        return true
      case 'enter':
        await this.#apply(step.role, step.settings)
        return true
      case 'script':
        return await this.#timeScript(step.text)
      default: {
        const answer = await this.#ask(step.group, step.params)
        this.#answers[step.kind].push(answer)
        return !(answer instanceof SqlError)
      }
    }
  }

  async #timeScript(text: string): Promise<boolean> {
    const started = this.#preciseNow()
    const { error, results } = await this.#runScript(text)
    if (error?.code === CANCELLED) throw error
    this.#scripts.push({ results, error, durationMillis: this.#preciseNow() - started })
    return error === undefined
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

  /**
   * Applies the role and the settings. They last until the transaction ends, or until a savepoint before this call is rolled
   * back.
   */
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

// Sequences after a rehearsal: PostgreSQL does not roll nextval() and setval() back (PostgreSQL documentation, "Sequence
// Manipulation Functions"). A sequence that scripts set back gets its former value. A sequence that scripts advanced keeps its
// value, because other work may have used the sequence meanwhile. A gap is harmless.

// The owner reads its sequences. A sequence that the owner cannot read, or that was never used, has no value here. The inner
// query is materialised, so that pg_sequence_last_value is called for sequences only.
const READ = `with own as materialized (
  select s.seqrelid as oid, s.seqincrement as increment
  from pg_catalog.pg_sequence as s
  join pg_catalog.pg_class as c on c.oid operator(pg_catalog.=) s.seqrelid
  where pg_catalog.pg_has_role(c.relowner, 'USAGE')
    and c.relnamespace operator(pg_catalog.=) (
      select n.oid from pg_catalog.pg_namespace as n where n.nspname operator(pg_catalog.=) $1::pg_catalog.name))
select oid, increment, value from own, pg_catalog.pg_sequence_last_value(oid::pg_catalog.regclass) as value
where value is not null`
const RESTORE = `with own as materialized (
  select given.oid, given.increment, given.value
  from rows from (pg_catalog.unnest($1::pg_catalog.oid[]), pg_catalog.unnest($2::pg_catalog.int8[]),
    pg_catalog.unnest($3::pg_catalog.int8[])) as given (oid, increment, value)
  join pg_catalog.pg_sequence as s on s.seqrelid operator(pg_catalog.=) given.oid)
select pg_catalog.setval(own.oid::pg_catalog.regclass, own.value)
from own, pg_catalog.pg_sequence_last_value(own.oid::pg_catalog.regclass) as present
where present is null or (case when own.increment operator(pg_catalog.>) 0
  then present operator(pg_catalog.<) own.value else present operator(pg_catalog.>) own.value end)`

type Rows = readonly (readonly (Uint8Array | null)[])[]

class RehearsalSequences {
  readonly #connection: ServerConnection
  readonly #owner: Actor
  readonly #states: Rows

  private constructor(connection: ServerConnection, owner: Actor, states: Rows) {
    this.#connection = connection
    this.#owner = owner
    this.#states = states
  }

  /** Reads the sequences of the owner's schema in the open transaction. @throws {SqlError} */
  static async read(connection: ServerConnection, owner: Actor): Promise<RehearsalSequences> {
    const states = await exchange(connection, owner, READ, [owner.schemaName])
    return new RehearsalSequences(connection, owner, states)
  }

  /** Sets sequences forward that are behind their former values. @throws {SqlError} */
  async restore(): Promise<void> {
    if (this.#states.length === 0) return
    const lists = [0, 1, 2].map(
      (column) => `{${this.#states.map((row) => cellText(row[column]) ?? '').join(',')}}`,
    )
    await exchange(this.#connection, this.#owner, RESTORE, lists)
  }
}

async function exchange(
  connection: ServerConnection,
  { role }: Actor,
  text: string,
  params: readonly SqlParam[],
): Promise<Rows> {
  const messages = new FrontendMessages()
  appendSettings(messages, connection.prepared, [['role', role]])
  messages.statement(text, params).sync()
  const { error, results } = parseBackendMessages(await connection.exchange(messages.bytes()))
  if (error !== undefined) throw error
  return results.at(-1)?.rows ?? []
}
