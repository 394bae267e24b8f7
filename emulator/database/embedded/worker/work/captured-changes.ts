// Takes the row changes of committed work out of the outbox (tenant-schema/change-capture.sql). Runs in the same job, so that
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
// The outbox is truncated after this many bytes. The engine has no autovacuum, so every later read would scan the dead rows.
const EMPTY_AFTER_BYTES = 64 << 10
const BEGIN_WRITING = new FrontendMessages()
  .query('begin read write isolation level read committed')
  .bytes()
const TAKE_UNNAMED = singleStatement(TAKE.text)
const COMMIT = new FrontendMessages().query('commit').bytes()
const EMPTY_OUT = singleStatement(`truncate ${OUTBOX}`)

/** Bytes taken since the outbox was last truncated. */
const takenBytes = new WeakMap<Session, number>()

/**
 * Returns the rows as backend messages, or `undefined` when nothing was captured. @throws {BackendDied} when the rows cannot be
 * read
 */
export function takeChanges(session: Session): Uint8Array | undefined {
  return take(session, () => {
    const messages = new FrontendMessages()
    session.prepared.append(messages, READER, TAKE)
    return read(session, messages.append(END).bytes())
  })
}

/** Works as `takeChanges`, in a session with a client's settings and prepared statements. */
export function takeChangesOfClient(session: Session): Uint8Array | undefined {
  return take(session, () => {
    read(session, BEGIN_WRITING)
    const bytes = read(session, TAKE_UNNAMED)
    read(session, COMMIT)
    return bytes
  })
}

function take(session: Session, readAll: () => Uint8Array): Uint8Array | undefined {
  const { fence } = session
  if (!fence.wroteOutbox) return undefined
  fence.wroteOutbox = false
  if (!session.assume(READER)) throw new BackendDied('the reader of captured changes is gone')
  const bytes = readAll()
  const taken = (takenBytes.get(session) ?? 0) + bytes.length
  takenBytes.set(session, taken < EMPTY_AFTER_BYTES ? taken : 0)
  if (taken >= EMPTY_AFTER_BYTES) read(session, EMPTY_OUT)
  return bytes
}

function read(session: Session, messages: Uint8Array): Uint8Array {
  const bytes = session.backend.exchange(messages)
  const error = firstError(bytes)
  if (error !== undefined) throw new BackendDied(`captured changes are lost: ${error.message}`)
  return bytes
}
