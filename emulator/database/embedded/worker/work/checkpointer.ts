// Writes checkpoints between jobs. A single-user backend never does so itself (xlog.c requests checkpoints only under a
// postmaster), and its write-ahead log would grow forever.

import { cellText } from '../../../engine.ts'
import { parseBackendMessages } from '../../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../../wire-protocol/frontend-messages.ts'
import { END, type Session } from '../session/session.ts'
import { runPlatformWork } from './platform-work.ts'

const CHECK_EVERY_JOBS = 200
const CHECKPOINT_AFTER_BYTES = 48 << 20
const READ_POSITION = new FrontendMessages()
  .statement(
    "select pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_insert_lsn(), '0/0'::pg_catalog.pg_lsn)",
  )
  .append(END)
  .bytes()

export class Checkpointer {
  readonly #session: Session
  #jobs = 0
  #checkpointedAt: number

  constructor(session: Session) {
    this.#session = session
    this.#checkpointedAt = this.#position()
  }

  /** Writes a checkpoint when enough was logged since the last one. @throws {BackendDied} */
  afterJob(): void {
    if (++this.#jobs % CHECK_EVERY_JOBS !== 0) return
    const position = this.#position()
    if (position - this.#checkpointedAt < CHECKPOINT_AFTER_BYTES) return
    runPlatformWork(this.#session, 'checkpoint')
    this.#checkpointedAt = position
  }

  #position(): number {
    const reply = parseBackendMessages(this.#session.backend.exchange(READ_POSITION))
    return Number(cellText(reply.results[0]?.rows[0]?.[0]) ?? 0)
  }
}
