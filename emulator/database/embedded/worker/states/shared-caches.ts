// Empties the backend's caches, so that files can be replaced while it runs. Flushes and drops buffers. Resets catalogue caches
// as Postgres does for a backend that missed too many invalidations (sinvaladt.c, "resetState"). The next transaction then
// reads everything again.

import { cellText } from '../../../engine.ts'
import { parseBackendMessages } from '../../../wire-protocol/backend-messages.ts'
import { BackendDied } from '../backend/backend.ts'
import type { Session } from '../session/session.ts'
import { runPlatformWork } from '../work/platform-work.ts'

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

export class SharedCaches {
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
