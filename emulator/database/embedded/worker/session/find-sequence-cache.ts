// Finds the addresses of the PostgreSQL variables that hold sequence values, by creating a sequence and rolling it back.

import { cellText } from '../../../engine.ts'
import { parseBackendMessages } from '../../../wire-protocol/backend-messages.ts'
import type { Backend } from '../backend/backend.ts'
import { runPlatformWork } from '../work/platform-work.ts'
import { SequenceCache } from './sequence-cache.ts'
import type { Session } from './session.ts'

// Ends with an error, which rolls everything back. The session still keeps the sequence's value.
const USE_SEQUENCE = `create temporary sequence tenantry_probe;
  select 'pg_temp.tenantry_probe'::pg_catalog.regclass::pg_catalog.oid, pg_catalog.nextval('pg_temp.tenantry_probe');
  select 1 / 0`
// Maximum number of bytes between the two variables in memory.
const NEIGHBOUR_BYTES = 16
const WORD = 4
const TABLE_NAME = 'Sequence values'
// The C struct is HTAB {*hctl, *dir, hash, match, keycopy, alloc, hcxt, *tabname, …} (dynahash.c).
const TABLE_NAME_OFFSET = 7 * WORD
// The C struct is SeqTableData {relid, filenumber, lxid, last_valid, last, …} (sequence.c).
const VALID_OFFSET = 3 * WORD
const LAST_OFFSET = 4 * WORD

/** Returns `undefined` when the engine's memory has another layout. @param staticBytes end of the engine's static data */
export function findSequenceCache(
  session: Session,
  staticBytes: number,
): SequenceCache | undefined {
  const { backend } = session
  const { results } = parseBackendMessages(runPlatformWork(session, USE_SEQUENCE).bytes)
  const relation = Number(cellText(results.find(({ rows }) => rows.length > 0)?.rows[0]?.[0]))
  const found = findVariables(backend, relation, staticBytes)
  session.clean()
  const isForgotten = found?.every((address) => backend.readWord(address) === 0) === true
  return found !== undefined && isForgotten ? new SequenceCache(backend, ...found) : undefined
}

// Searches static data for a pointer to the entry. The heap has twenty times as many words.
function findVariables(
  backend: Backend,
  relation: number,
  staticBytes: number,
): readonly [table: number, last: number] | undefined {
  const words = new Uint32Array(backend.module.HEAPU8.buffer)
  const end = staticBytes / WORD
  for (let at = NEIGHBOUR_BYTES / WORD; at < end; at += 1) {
    const entry = words[at] ?? 0
    if (entry < staticBytes || entry % WORD !== 0 || words[entry / WORD] !== relation) continue
    if (!isEntry(backend, entry)) continue
    const found = at * WORD
    for (let near = found - NEIGHBOUR_BYTES; near <= found + NEIGHBOUR_BYTES; near += WORD)
      if (isTable(backend, backend.readWord(near))) return [near, found]
  }
  return undefined
}

function isEntry(backend: Backend, entry: number): boolean {
  if (entry + LAST_OFFSET >= backend.heapBytes) return false
  const isValid = (backend.readWord(entry + VALID_OFFSET) & 0xff) === 1
  return isValid && backend.readWord(entry + LAST_OFFSET) === 1
}

function isTable(backend: Backend, table: number): boolean {
  if (table === 0 || table + TABLE_NAME_OFFSET >= backend.heapBytes) return false
  const name = backend.readWord(table + TABLE_NAME_OFFSET)
  return name < backend.heapBytes && backend.readText(name) === TABLE_NAME
}
