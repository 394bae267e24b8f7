// Runs platform work: one script as superuser, in one transaction and a clean session. Platform work cannot call tenants'
// functions or read their rows. After the script, the fence reads the list of schemas again.

import { cellText } from '../../../engine.ts'
import { firstError, parseBackendMessages } from '../../../wire-protocol/backend-messages.ts'
import { FrontendMessages } from '../../../wire-protocol/frontend-messages.ts'
import { BackendDied } from '../backend/backend.ts'
import { PLATFORM_WORK } from '../fence/fence.ts'
import { IDLE_ROLE } from '../fence/identity.ts'
import { type ObjectOwner, PLATFORM_INTERNAL } from '../fence/object-owners.ts'
import { END, type Session, singleStatement } from '../session/session.ts'
import { OUTBOX } from './captured-changes.ts'
import type { Outcome } from './tenant-work.ts'

/** Schemas whose objects are hidden from tenants in the catalogues. */
const INTERNAL_SCHEMAS = new Set(['platform', 'public'])

const READ_SCHEMAS = singleStatement(`select oid, nspname from pg_catalog.pg_namespace
     where pg_catalog.starts_with(nspname, 'proj_') or nspname in ('${[...INTERNAL_SCHEMAS].join("', '")}')
     union all
     select coalesce(pg_catalog.to_regclass('${OUTBOX}')::pg_catalog.oid, 0), '${OUTBOX}'`)

/** Runs the script and returns its messages, errors included. @throws {BackendDied} */
export function runPlatformWork(session: Session, text: string): Outcome {
  session.lendToPlatform()
  if (!session.assume(IDLE_ROLE)) throw new BackendDied('the idle role is gone')
  try {
    session.open('script')
    if (!session.identity.elevateTransaction())
      throw new BackendDied('platform work cannot become superuser')
    session.fence.side = PLATFORM_WORK
    const bytes = session.backend.exchange(new FrontendMessages().query(text).append(END).bytes())
    return { bytes, committed: firstError(bytes) === undefined }
  } finally {
    session.fence.side = undefined
    session.settle()
    session.identity.forgetOids()
    loadFence(session)
  }
}

/** Loads the owners of schemas into the fence. @throws {BackendDied} when they cannot be read */
export function loadFence(session: Session): void {
  const reply = parseBackendMessages(session.backend.exchange(READ_SCHEMAS))
  const schemas = reply.results[0]
  if (reply.error !== undefined || schemas === undefined)
    throw new BackendDied(`the schemas cannot be read: ${reply.error?.message ?? 'no result'}`)
  const owners = new Map<number, ObjectOwner>()
  for (const row of schemas.rows) {
    const [oid, name = ''] = row.map((cell) => cellText(cell))
    if (name === OUTBOX) session.fence.outbox = Number(oid)
    else owners.set(Number(oid), INTERNAL_SCHEMAS.has(name) ? PLATFORM_INTERNAL : name)
  }
  session.fence.setOwners(owners)
}

const CHECK_EVERY_JOBS = 200
const CHECKPOINT_AFTER_BYTES = 48 << 20
const READ_POSITION = singleStatement(
  "select pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_insert_lsn(), '0/0'::pg_catalog.pg_lsn)",
)

/**
 * Writes checkpoints between jobs. A single-user backend never does so itself (xlog.c requests checkpoints only under a
 * postmaster), and its write-ahead log would grow forever.
 */
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
