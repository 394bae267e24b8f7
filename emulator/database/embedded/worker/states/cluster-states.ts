// Saves and restores states of the whole cluster while the backend runs: the baseline, and images in folders. When the backend
// dies during a restore, its next start completes the restore.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cellText } from '../../../engine.ts'
import { type BackendReply, parseBackendMessages } from '../../../wire-protocol/backend-messages.ts'
import {
  applyLoad,
  copyFiles,
  copyRest,
  loadOf,
  type PendingLoad,
  stateFiles,
} from '../../cluster/cluster-files.ts'
import { announceLoad, noteLoaded } from '../../cluster/pending-load.ts'
import type { StateRequest } from '../../worker-protocol.ts'
import { BackendDied } from '../backend/backend.ts'
import type { Session } from '../session/session.ts'
import { runPlatformWork } from '../work/platform-work.ts'
import { type Outcome, WorkRefused } from '../work/tenant-work.ts'
import type { ChangedFiles } from './changed-files.ts'

export interface ClusterStatesDeps {
  readonly session: Session
  readonly cluster: string
  readonly changed: ChangedFiles
  readonly exports: () => WebAssembly.Exports | undefined
  /** Removes a file as the engine would, by its path inside the cluster. */
  readonly remove: (path: string) => void
  /** Makes the engine look again for files that it has found to be missing. */
  readonly forgetMissing: () => void
}

/** The file with the id of the next transaction at the time of saving. */
const HORIZON = 'next-transaction'
const READ_HORIZON = 'select pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())'
// Lists the log segments from the last checkpoint on.
const READ_LOGS = `select pg_catalog.pg_walfile_name(redo_lsn), pg_catalog.pg_walfile_name(checkpoint_lsn),
    pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn())
  from pg_catalog.pg_control_checkpoint()`
const DONE: Outcome = { bytes: new Uint8Array(0), committed: true }
// Whether the restored state lacks the namespace of the backend's temporary tables, which the backend never forgets. New
// clusters contain this namespace from the start (tenant-schema/cluster/embedded/10-roles.sql).
const KNOWS_LOST_NAMESPACE = `select where pg_catalog.pg_my_temp_schema() <> 0
  and not exists (select from pg_catalog.pg_namespace where oid = pg_catalog.pg_my_temp_schema())`

export class ClusterStates {
  readonly #deps: ClusterStatesDeps
  #caches: SharedCaches | undefined

  constructor(deps: ClusterStatesDeps) {
    this.#deps = deps
  }

  /** @throws {BackendDied} */
  run({ action, folder }: StateRequest): Outcome {
    const { cluster, changed } = this.#deps
    this.#perform('checkpoint')
    if (action === 'setBaseline') changed.setBaseline()
    else if (action === 'save') {
      copyFiles(cluster, folder, stateFiles(cluster))
      copyRest(cluster, folder, this.#neededLogs())
      writeFileSync(join(folder, HORIZON), this.#nextTransaction())
    } else if (action === 'restoreBaseline') {
      this.#load(changed.sinceBaseline())
      changed.onRestored()
    } else {
      this.#requireOwn(folder)
      const load = loadOf(cluster, folder)
      changed.touch([...load.files, ...load.remove])
      this.#load(load)
    }
    return DONE
  }

  // Refuses a state with transaction ids that this cluster has not reached. Rows of such transactions would be invisible, or
  // belong to later transactions.
  #requireOwn(folder: string): void {
    const file = join(folder, HORIZON)
    if (existsSync(file) && BigInt(readFileSync(file, 'utf8')) > BigInt(this.#nextTransaction()))
      throw new WorkRefused('55000', 'the saved state belongs to another data directory')
  }

  #neededLogs(): ReadonlySet<string> {
    const { results } = this.#perform(READ_LOGS)
    return new Set(results[0]?.rows[0]?.map((cell) => cellText(cell) ?? ''))
  }

  #nextTransaction(): string {
    const { results } = this.#perform(READ_HORIZON)
    return cellText(results[0]?.rows[0]?.[0]) ?? ''
  }

  #load(load: PendingLoad): void {
    const { session, cluster, exports, remove, forgetMissing } = this.#deps
    this.#caches ??= new SharedCaches(session, exports())
    session.lendToPlatform()
    announceLoad(cluster, load)
    this.#caches.without(() => applyLoad(cluster, load, remove))
    forgetMissing()
    session.identity.forgetOids()
    // Platform work also loads the restored schemas into the fence.
    const { results } = this.#perform(KNOWS_LOST_NAMESPACE)
    noteLoaded(cluster)
    if ((results[0]?.rows.length ?? 0) > 0)
      throw new BackendDied('the schema of its temporary tables is gone')
  }

  #perform(text: string): BackendReply {
    const reply = parseBackendMessages(runPlatformWork(this.#deps.session, text).bytes)
    const { error } = reply
    if (error !== undefined) throw new BackendDied(`the state cannot be kept: ${error.message}`)
    return reply
  }
}

// Empties the backend's caches, so that files can be replaced while it runs. Flushes and drops buffers. Resets catalogue caches
// as Postgres does for a backend that missed too many invalidations (sinvaladt.c, "resetState"). The next transaction then
// reads everything again.

const READ_PLACES = `select name, off, size, pg_catalog.pg_backend_pid()
  from pg_catalog.pg_shmem_allocations
  where name in ('shmInvalBuffer', 'TransamVariables')`
const WORD = 4
// The C struct ProcState has pid, next message, then one byte each: reset, signaled, has messages, send only (sinvaladt.c).
const RESET_BYTE = 2 * WORD
const HAS_MESSAGES_BYTE = 2 * WORD + 2
// bufmgr.h: three counters.
const COUNTERS_BYTES = 3 * WORD

type EvictAll = (evicted: number, flushed: number, skipped: number) => void

class SharedCaches {
  readonly #session: Session
  readonly #evictAll: EvictAll
  readonly #state: number

  /** @throws {BackendDied} when the engine's memory is laid out differently */
  constructor(session: Session, exports: WebAssembly.Exports | undefined) {
    this.#session = session
    const evictAll = exports?.['EvictAllUnpinnedBuffers']
    const variables = exports?.['TransamVariables']
    if (typeof evictAll !== 'function' || !(variables instanceof WebAssembly.Global))
      throw new BackendDied('the engine’s buffers cannot be dropped')
    this.#evictAll = evictAll as EvictAll
    this.#state = findState(session, Number(variables.value))
  }

  /** Runs `replace` with empty caches. The engine must have flushed all changes before. @throws {BackendDied} */
  without(replace: () => void): void {
    const { backend } = this.#session
    this.#session.between(() => {
      const counters = backend.module._malloc(COUNTERS_BYTES)
      const ok = backend.guarded(() => {
        this.#evictAll(counters, counters + WORD, counters + 2 * WORD)
        return true
      })
      const skipped = backend.readWord(counters + 2 * WORD)
      backend.module._free(counters)
      if (ok !== true || skipped > 0) throw new BackendDied('the engine’s buffers are in use')
      replace()
      const heap = backend.module.HEAPU8
      heap[this.#state + RESET_BYTE] = 1
      heap[this.#state + HAS_MESSAGES_BYTE] = 1
    })
  }
}

// Finds the backend's invalidation state in shared memory. The view pg_shmem_allocations gives offsets; an export gives the
// address of one part.
function findState(session: Session, variables: number): number {
  const { backend } = session
  const { results, error } = parseBackendMessages(runPlatformWork(session, READ_PLACES).bytes)
  if (error !== undefined) throw new BackendDied(`shared memory is unknown: ${error.message}`)
  const places = new Map(
    results[0]?.rows.map(([name, off, size, pid]) => [
      cellText(name),
      { off: Number(cellText(off)), size: Number(cellText(size)), pid: Number(cellText(pid)) },
    ]),
  )
  const queue = places.get('shmInvalBuffer')
  const known = places.get('TransamVariables')
  if (queue === undefined || known === undefined) throw new BackendDied('shared memory is unknown')
  const start = backend.readWord(variables) - known.off + queue.off
  // SISeg begins with the numbers of the oldest and the newest message. An up-to-date backend has the number of the newest
  // message.
  const newest = backend.readWord(start + WORD)
  for (let at = start; at < start + queue.size; at += WORD)
    if (backend.readWord(at) === queue.pid && backend.readWord(at + WORD) === newest) return at
  throw new BackendDied('the engine’s invalidations are not where they were')
}
