// Runs one job of a tenant, from opening its transaction to the commit (docs/wire/data-plane.md#transaction).

import { RESULT_TOO_LARGE } from '../../../engine.ts'
import { firstError, parseBackendMessages } from '../../../wire-protocol/backend-messages.ts'
import { BoundedOutput } from '../../../wire-protocol/bounded-output.ts'
import { FrontendMessages } from '../../../wire-protocol/frontend-messages.ts'
import { COPY_REFUSED, holds, isHeldOpen, isStale, tooLargeText } from '../../../work/work-rules.ts'
import type { LockSession } from '../../advisory-locks/lock-session.ts'
import type {
  DoneReply,
  LockWait,
  Resumption,
  SentWork,
  StatementText,
} from '../../worker-protocol.ts'
import { END, type Session } from '../session/session.ts'
import { setLocal, setSessionDefault, silenceEventTriggers } from '../session/settings.ts'
import { takeChanges } from './captured-changes.ts'

/** The backend's answer, and whether it committed the transaction. */
export type Outcome = Omit<DoneReply, 'kind' | 'id' | 'durationMillis' | 'heapBytes'>

/** The engine refused the work before any of its SQL ran. */
export class WorkRefused extends Error {
  override readonly name = 'WorkRefused'
  readonly sqlState: string

  constructor(sqlState: string, message: string) {
    super(message)
    this.sqlState = sqlState
  }
}

const CHECK_DEFERRED = new FrontendMessages().statement('set constraints all immediate').bytes()
// The settings that must outlive a COMMIT inside a script, with their usual values.
const SCRIPT_DEFAULTS = { search_path: '' } as const
export const COPY_FAIL: Uint8Array = new FrontendMessages().copyFail(COPY_REFUSED).bytes()

/** Runs the work and returns its messages, errors included. @throws {WorkRefused | BackendDied} */
export function runTenantWork(
  session: Session,
  work: SentWork,
  resumes: Resumption | undefined,
): Outcome {
  const { schemaName, role } = work.actor
  session.lendTo(schemaName)
  if (!session.assume(role)) throw new WorkRefused('42704', `role "${role}" does not exist`)
  const owner = lockSession(session, schemaName, resumes)
  const { locking } = session
  let waits: LockWait | undefined
  let outcome: Outcome
  try {
    outcome = locking.during(owner, always, () => attempt(session, work, owner))
    waits = locking.waitOf(owner)
  } finally {
    if (waits === undefined) locking.close(owner)
  }
  if (waits !== undefined) return { bytes: NOTHING, committed: false, waits }
  const changes = takeChanges(session)
  return changes === undefined ? outcome : { ...outcome, changes }
}

// Each request has its own lock session, whose locks are released when the request ends.
export function lockSession(
  { locking }: Session,
  schemaName: string,
  resumes: Resumption | undefined,
): LockSession {
  const waiting = resumes === undefined ? undefined : locking.find(resumes.ticket)
  waiting?.again(resumes?.end)
  return waiting ?? locking.open(schemaName)
}

const NOTHING = new Uint8Array(0)
const always = () => true

function attempt(session: Session, work: SentWork, owner: LockSession): Outcome {
  const { statements } = work
  try {
    if ('text' in statements) return runScript(session, work, statements.text)
    const outcome = runStatements(session, work, statements)
    const error = outcome.committed ? undefined : firstError(outcome.bytes)
    if (error === undefined || !isStale(error)) return outcome
    session.clean()
    owner.again()
    return runStatements(session, work, statements)
  } finally {
    session.settle()
  }
}

function runStatements(
  session: Session,
  work: SentWork,
  statements: readonly StatementText[],
): Outcome {
  enter(session, work, 'pipeline')
  const messages = new FrontendMessages()
  for (const statement of statements) session.prepared.append(messages, work.actor.role, statement)
  return session.within(work, () =>
    isHeldOpen(work)
      ? sendThenDecide(session, work, messages.bytes(), () => session.exchangeCancellable(END))
      : sendAndCommit(session, work, messages),
  )
}

function runScript(session: Session, work: SentWork, text: string): Outcome {
  const isBlock = isHeldOpen(work) || work.end === 'rollback' || work.mode === 'readOnly'
  session.between(() => setScriptDefaults(session, work.settings))
  const messages = new FrontendMessages().query(text).append(COPY_FAIL)
  try {
    enter(session, work, isBlock ? 'block' : 'script')
    if (session.guard !== undefined) session.guard.refusesTransactionControl = isBlock
    return session.within(work, () =>
      isBlock
        ? sendThenDecide(session, work, messages.bytes(), () => session.commitBlock())
        : sendAndCommit(session, work, messages),
    )
  } finally {
    leaveScript(session)
  }
}

export function leaveScript(session: Session): void {
  if (session.guard !== undefined) session.guard.refusesTransactionControl = false
  session.settle()
  session.between(() => setScriptDefaults(session, SCRIPT_DEFAULTS))
  session.clean()
}

export function setScriptDefaults(
  session: Session,
  values: Readonly<Record<string, string>>,
): void {
  for (const name of Object.keys(SCRIPT_DEFAULTS)) {
    const value = values[name]
    if (value !== undefined) setSessionDefault(session.backend, name, value)
  }
}

// Opens the transaction and applies the settings in the given order. The caller has set the role; only the tenant's statements
// follow.
function enter(session: Session, work: SentWork, how: 'pipeline' | 'script' | 'block'): void {
  const error = session.open(how)
  const refused = error === undefined ? refusedSetting(session, work) : undefined
  if (error === undefined && refused === undefined) return
  session.abandon()
  throw error === undefined
    ? new WorkRefused('22023', `invalid value for setting "${refused}"`)
    : new WorkRefused(error.code, error.message)
}

function refusedSetting(session: Session, work: SentWork): string | undefined {
  for (const [name, value] of Object.entries(work.settings))
    if (value.includes('\0') || !setLocal(session.backend, name, value)) return name
  if (work.firesNoEventTriggers === true && !silenceEventTriggers(session.backend))
    return 'event_triggers'
  if (work.mode === 'readWrite') return undefined
  return setLocal(session.backend, 'transaction_read_only', 'on')
    ? undefined
    : 'transaction_read_only'
}

function exchange(
  session: Session,
  { maxResultBytes, refusesLargeResults, statements }: SentWork,
  messages: Uint8Array,
): Uint8Array {
  if (maxResultBytes === undefined) return send(session, statements, messages)
  const output = new BoundedOutput(maxResultBytes)
  const bytes = output.end(send(session, statements, messages, output))
  if (!output.isCut || refusesLargeResults !== true) return bytes
  session.settle()
  throw new WorkRefused(RESULT_TOO_LARGE, tooLargeText({ maxResultBytes }))
}

// The session's own timeouts apply to scripts only. Services set their own time limits for prepared statements.
function send(
  session: Session,
  statements: SentWork['statements'],
  messages: Uint8Array,
  output?: BoundedOutput,
): Uint8Array {
  return 'text' in statements
    ? session.exchangeTimed(messages, output)
    : session.exchangeCancellable(messages, output)
}

function sendAndCommit(session: Session, work: SentWork, messages: FrontendMessages): Outcome {
  const bytes = exchange(session, work, messages.append(END).bytes())
  return { bytes, committed: work.end === 'commit' && firstError(bytes) === undefined }
}

// Checks the result while the transaction is still open, then commits or rolls back.
function sendThenDecide(
  session: Session,
  work: SentWork,
  messages: Uint8Array,
  commit: () => Uint8Array,
): Outcome {
  const bytes = exchange(session, work, messages)
  // The next statements are ours, and one of them ends the transaction.
  if (session.guard !== undefined) session.guard.refusesTransactionControl = false
  if (firstError(bytes) !== undefined) {
    session.abandon()
    return { bytes, committed: false }
  }
  if (work.end === 'commit' && meets(work, bytes)) {
    const end = commit()
    return { bytes: joinBytes(bytes, end), committed: firstError(end) === undefined }
  }
  const deferred = session.exchangeCancellable(CHECK_DEFERRED)
  const hasError = firstError(deferred) !== undefined
  if (hasError) session.abandon()
  session.settle()
  return { bytes: hasError ? joinBytes(bytes, deferred) : bytes, committed: false }
}

function meets({ postcondition }: SentWork, bytes: Uint8Array): boolean {
  return postcondition === undefined || holds(postcondition, parseBackendMessages(bytes).results)
}

// Returns a buffer that is not from Node's pool, because pooled buffers cannot be transferred to another thread.
export function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}
