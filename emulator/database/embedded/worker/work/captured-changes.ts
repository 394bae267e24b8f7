// Takes the row changes of committed work out of the outbox (tenant-schema/change-capture/outbox.sql). Runs in the same job, so that
// no changes of other work are included.
import { firstError } from '../../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../../wire-protocol/frontend-messages.ts'
import { BackendDied } from '../backend/backend.ts'
import { END, type Session, singleStatement } from '../session/session.ts'

export const OUTBOX = 'platform.row_changes'

const READER = 'change_reader'
const TAKE = {
  text: `delete from ${OUTBOX} returning id, relation, kind, depth, row`,
  params: [],
} as const
// The engine has no autovacuum, and dead rows slow every later read. VACUUM frees their space after this many bytes and takes 0.4
// ms. TRUNCATE takes 3 ms or more, because it replaces the table's files.
const VACUUM_AFTER_BYTES = 256 << 10
// TRUNCATE shrinks the table after a piece of work that captured more than this many bytes.
const TRUNCATE_ABOVE_BYTES = 64 << 10
const BEGIN_WRITING = new FrontendMessages()
  .query('begin read write isolation level read committed')
  .bytes()
const TAKE_UNNAMED = singleStatement(TAKE.text)
const COMMIT = new FrontendMessages().query('commit').bytes()
const VACUUM = singleStatement(`vacuum (truncate false) ${OUTBOX}`)
const TRUNCATE = singleStatement(`truncate ${OUTBOX}`)

/** Bytes of rows read since the space of dead rows was last freed. */
const takenBytes = new WeakMap<Session, number>()

/**
 * Returns the rows as backend messages, or `undefined` when nothing was captured. @throws {BackendDied} when the rows cannot be
 * read
 */
export function takeChanges(session: Session): Uint8Array | undefined {
  return take(session, !session.isTouched)
}

/** Works as `takeChanges`, in a session with a client's settings and prepared statements. */
export function takeChangesOfClient(session: Session): Uint8Array | undefined {
  return take(session, false)
}

/** Removes the outbox rows of work that was rolled back, because dead rows slow later reads. @throws {BackendDied} */
export function dropChanges(session: Session): void {
  const { fence } = session
  if (!fence.wroteOutbox) return
  fence.wroteOutbox = false
  if (!session.assume(READER)) throw new BackendDied('the reader of captured changes is gone')
  writing(session, TRUNCATE)
}

/** @param isPlain false when the session may have a tenant's settings, such as default_transaction_read_only */
function take(session: Session, isPlain: boolean): Uint8Array | undefined {
  const { fence } = session
  if (!fence.wroteOutbox) return undefined
  fence.wroteOutbox = false
  if (!session.assume(READER)) throw new BackendDied('the reader of captured changes is gone')
  const bytes = isPlain ? readPrepared(session) : writing(session, TAKE_UNNAMED)
  const taken = (takenBytes.get(session) ?? 0) + bytes.length
  const isFreed = bytes.length > TRUNCATE_ABOVE_BYTES || taken > VACUUM_AFTER_BYTES
  takenBytes.set(session, isFreed ? 0 : taken)
  if (!isFreed) return bytes
  // A tenant's setting, such as vacuum_cost_delay, would slow the VACUUM. TRUNCATE obeys no such setting.
  if (bytes.length <= TRUNCATE_ABOVE_BYTES && isPlain) read(session, VACUUM)
  else writing(session, TRUNCATE)
  return bytes
}

function readPrepared(session: Session): Uint8Array {
  const messages = new FrontendMessages()
  session.prepared.append(messages, READER, TAKE)
  return read(session, messages.append(END).bytes())
}

// Runs one statement in its own transaction, also where transactions are read-only by default.
function writing(session: Session, statement: Uint8Array): Uint8Array {
  read(session, BEGIN_WRITING)
  const bytes = read(session, statement)
  read(session, COMMIT)
  return bytes
}

function read(session: Session, messages: Uint8Array): Uint8Array {
  const bytes = session.backend.exchange(messages)
  const error = firstError(bytes)
  if (error !== undefined) throw new BackendDied(`captured changes are lost: ${error.message}`)
  return bytes
}
