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
import { SharedCaches } from './shared-caches.ts'

export interface ClusterStatesDeps {
  readonly session: Session
  readonly cluster: string
  readonly changed: ChangedFiles
  readonly exports: () => WebAssembly.Exports | undefined
  /** Removes a file as the engine would, by its path inside the cluster. */
  readonly remove: (path: string) => void
  /** Makes the engine look up files again that were missing. */
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
