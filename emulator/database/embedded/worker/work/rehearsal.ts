// Rehearses an owner's scripts: runs them in one transaction, answers questions before and after them, and rolls everything
// back (../../../rehearsal.ts).

import type { Actor } from '../../../../core/principal.ts'
import { cellText } from '../../../engine.ts'
import type { SqlParam } from '../../../sql.ts'
import { firstError, parseBackendMessages } from '../../../wire-protocol/backend-messages.ts'
import { BoundedOutput } from '../../../wire-protocol/bounded-output.ts'
import { FrontendMessages } from '../../../wire-protocol/frontend-messages.ts'
import {
  askAll,
  CHECK_DEFERRED,
  type RehearsalStep,
  type RehearsalSteps,
  runScripts,
} from '../../../work/rehearsal-script.ts'
import type { LockSession } from '../../advisory-locks/lock-session.ts'
import type { RehearsalPart, Resumption, SentGroup, SentRehearsal } from '../../worker-protocol.ts'
import { BackendDied } from '../backend/backend.ts'
import { END, type Session } from '../session/session.ts'
import { setLocal } from '../session/settings.ts'
import { dropChanges } from './captured-changes.ts'
import {
  COPY_FAIL,
  joinBytes,
  leaveScript,
  lockSession,
  type Outcome,
  setScriptDefaults,
  WorkRefused,
} from './tenant-work.ts'

const NOTHING = new Uint8Array(0)
const never = () => false
const always = () => true

/**
 * Returns the replies of the questions and scripts, one part each. @param wallMillis wall-clock milliseconds for durations
 * @throws {WorkRefused | BackendDied}
 */
export function runRehearsal(
  session: Session,
  rehearsal: SentRehearsal,
  resumes: Resumption | undefined,
  wallMillis: () => number,
): Outcome {
  const { schemaName, role } = rehearsal.actor
  session.lendTo(schemaName)
  requireRole(session, role)
  const owner = lockSession(session, schemaName, resumes)
  let isWaiting = false
  try {
    const run = new RehearsalRun(session, rehearsal, wallMillis)
    const outcome = run.perform(owner)
    isWaiting = outcome.waits !== undefined
    return outcome
  } finally {
    if (!isWaiting) session.locking.close(owner)
    dropChanges(session)
  }
}

function requireRole(session: Session, role: string): void {
  if (!session.assume(role)) throw new WorkRefused('42704', `role "${role}" does not exist`)
}

class RehearsalRun {
  readonly #session: Session
  readonly #rehearsal: SentRehearsal
  readonly #wallMillis: () => number
  readonly #replies: Uint8Array[] = []
  readonly #parts: RehearsalPart[] = []

  constructor(session: Session, rehearsal: SentRehearsal, wallMillis: () => number) {
    this.#session = session
    this.#rehearsal = rehearsal
    this.#wallMillis = wallMillis
  }

  perform(owner: LockSession): Outcome {
    const session = this.#session
    const { locking } = session
    const { actor, after, before, settings } = this.#rehearsal
    const { role } = actor
    session.between(() => setScriptDefaults(session, settings))
    let sequences: RehearsalSequences | undefined
    try {
      this.#open()
      sequences = RehearsalSequences.read(session, actor)
      locking.during(owner, never, () => this.#drive(askAll('before', before)))
      const isApplied = locking.during(owner, always, () =>
        this.#drive(runScripts(this.#rehearsal)),
      )
      const waits = locking.waitOf(owner)
      if (waits !== undefined) return { bytes: NOTHING, committed: false, waits }
      if (isApplied) locking.during(owner, never, () => this.#drive(askAll('after', after)))
    } finally {
      const mayHaveAdvanced = session.sequences?.isEmpty !== true
      session.settle()
      requireRole(session, role)
      if (mayHaveAdvanced) sequences?.restore()
      leaveScript(session)
    }
    return { bytes: join(this.#replies), parts: this.#parts, committed: false }
  }

  #open(): void {
    const error = this.#session.open('block')
    if (error !== undefined) throw new WorkRefused(error.code, error.message)
  }

  #drive<Result>(steps: RehearsalSteps<SentGroup, Result>): Result {
    let next = steps.next()
    while (next.done !== true) next = steps.next(this.#carryOut(next.value))
    return next.value
  }

  #carryOut(step: RehearsalStep<SentGroup>): boolean {
    switch (step.kind) {
      case 'own':
        this.#own(step.messages)
        return true
      case 'enter':
        requireRole(this.#session, step.role)
        this.#setAll(step.settings)
        return true
      case 'script':
        return this.#timed('script', () =>
          this.#session.within({ actor: this.#rehearsal.actor, mode: 'readWrite' }, () =>
            this.#runScript(step.text),
          ),
        )
      default:
        return this.#timed(step.kind, () => this.#ask(step.group, step.params))
    }
  }

  #runScript(text: string): Uint8Array {
    const session = this.#session
    const output = new BoundedOutput(this.#rehearsal.maxResultBytes)
    const { guard } = session
    const messages = new FrontendMessages().query(text).append(COPY_FAIL).bytes()
    if (guard !== undefined) guard.refusesTransactionControl = true
    let bytes: Uint8Array
    try {
      bytes = output.end(session.exchangeTimed(messages, output))
    } finally {
      if (guard !== undefined) guard.refusesTransactionControl = false
    }
    if (firstError(bytes) !== undefined) return bytes
    const deferred = session.exchangeCancellable(CHECK_DEFERRED)
    // The check of deferred constraints is part of the script's result only when it failed.
    return firstError(deferred) === undefined ? bytes : joinBytes(bytes, deferred)
  }

  #ask(group: SentGroup, params: readonly SqlParam[]): Uint8Array {
    const session = this.#session
    const messages = this.#messagesFor(group, params)
    const output = new BoundedOutput(this.#rehearsal.maxResultBytes)
    const { schemaName } = this.#rehearsal.actor
    const frame = { actor: { schemaName, role: group.role }, mode: 'readOnly' } as const
    const last = session.within(frame, () => session.exchangeCancellable(messages, output))
    const bytes = output.end(last)
    // The statement may not have been prepared, so its name is not used again.
    if (firstError(bytes) !== undefined) session.prepared.forgetNames()
    return bytes
  }

  // Questions with the same role and text share one plan, also before and after the scripts.
  #messagesFor({ role, statement: { text } }: SentGroup, params: readonly SqlParam[]): Uint8Array {
    const { prepared } = this.#session
    const messages = new FrontendMessages()
    if (this.#timesAsked(role, text) === 1) messages.statement(text, params)
    else {
      prepared.nameOf(messages, role, text)
      prepared.append(messages, role, { text, params })
    }
    return messages.append(END).bytes()
  }

  #timesAsked(role: string, text: string): number {
    const { after, before } = this.#rehearsal
    return [...before, ...after]
      .filter((group) => group.role === role && group.statement.text === text)
      .reduce((sum, { questions }) => sum + questions.length, 0)
  }

  /** Keeps the reply. Returns whether it has no error. */
  #timed(kind: RehearsalPart['kind'], work: () => Uint8Array): boolean {
    const started = this.#wallMillis()
    const reply = work()
    this.#replies.push(reply)
    this.#parts.push({ kind, bytes: reply.length, millis: this.#wallMillis() - started })
    return firstError(reply) === undefined
  }

  #setAll(settings: readonly (readonly [string, string])[]): void {
    for (const [name, value] of settings)
      if (value.includes('\0') || !setLocal(this.#session.backend, name, value))
        throw new WorkRefused('22023', `invalid value for setting "${name}"`)
  }

  /** Sends a statement of the engine's own, which cannot fail. */
  #own(messages: Uint8Array): void {
    const error = firstError(this.#session.backend.exchange(messages))
    if (error !== undefined) throw new BackendDied(`a rehearsal cannot go on: ${error.message}`)
  }
}

function join(replies: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(replies.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const reply of replies) {
    joined.set(reply, at)
    at += reply.length
  }
  return joined
}

// Restores the sequences that a rehearsal advanced. PostgreSQL does not roll nextval() and setval() back (PostgreSQL
// documentation, "Sequence Manipulation Functions").

// The owner reads its sequences. A sequence that the owner cannot read has no values here. pg_class has no index for the
// sequences of a schema, so the query finds them through pg_depend: every object depends on its schema.
const READ = `select c.oid, d.last_value, d.is_called
from pg_catalog.pg_depend as member
join pg_catalog.pg_class as c on c.oid operator(pg_catalog.=) member.objid
cross join lateral pg_catalog.pg_get_sequence_data(c.oid::pg_catalog.regclass) as d
where c.relkind operator(pg_catalog.=) 'S' and d.last_value is not null
  and member.classid operator(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass
  and member.refclassid operator(pg_catalog.=) 'pg_catalog.pg_namespace'::pg_catalog.regclass
  and member.refobjid operator(pg_catalog.=) (
    select n.oid from pg_catalog.pg_namespace as n where n.nspname operator(pg_catalog.=) $1::pg_catalog.name)
  and pg_catalog.pg_has_role(c.relowner, 'USAGE')`
// Selects the sequences by their oids. Planning this query takes a fifth of the time that planning the query above would take.
const RESTORE = `select pg_catalog.setval(s.oid::pg_catalog.regclass, s.last_value, s.is_called)
from rows from (pg_catalog.unnest($1::pg_catalog.oid[]), pg_catalog.unnest($2::pg_catalog.int8[]), pg_catalog.unnest($3::pg_catalog.bool[]))
  as s (oid, last_value, is_called)
cross join lateral pg_catalog.pg_get_sequence_data(s.oid::pg_catalog.regclass) as now
where (now.last_value operator(pg_catalog.<>) s.last_value or now.is_called operator(pg_catalog.<>) s.is_called)`

interface SequenceState {
  readonly oid: string
  readonly lastValue: string
  readonly isCalled: string
}

class RehearsalSequences {
  readonly #session: Session
  readonly #states: readonly SequenceState[]

  private constructor(session: Session, schemaName: string) {
    this.#session = session
    this.#states = this.#read(schemaName)
  }

  /** Reads the sequences of the schema in the open transaction. The owner must be the session user. @throws {BackendDied} */
  static read(session: Session, owner: Actor): RehearsalSequences {
    return new RehearsalSequences(session, owner.schemaName)
  }

  /** Sets changed sequences back, in a transaction of its own. @throws {BackendDied} */
  restore(): void {
    if (this.#states.length === 0) return
    const listOf = (values: readonly string[]): string => `{${values.join(',')}}`
    const lists = [
      listOf(this.#states.map(({ oid }) => oid)),
      listOf(this.#states.map(({ lastValue }) => lastValue)),
      listOf(this.#states.map(({ isCalled }) => isCalled)),
    ]
    this.#exchange(new FrontendMessages().statement(RESTORE, lists))
  }

  #read(schemaName: string): readonly SequenceState[] {
    const messages = new FrontendMessages().statement(READ, [schemaName])
    return (this.#exchange(messages)[0]?.rows ?? []).map(([oid, lastValue, isCalled]) => ({
      oid: cellText(oid) ?? '',
      lastValue: cellText(lastValue) ?? '',
      isCalled: cellText(isCalled) ?? '',
    }))
  }

  #exchange(messages: FrontendMessages): ReturnType<typeof parseBackendMessages>['results'] {
    const { error, results } = parseBackendMessages(
      this.#session.backend.exchange(messages.append(END).bytes()),
    )
    if (error !== undefined)
      throw new BackendDied(`the sequences of a rehearsal are lost: ${error.message}`)
    return results
  }
}
