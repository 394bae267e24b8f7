// Reads the newest requests from the journal and their recordings, in the form in which faults see requests. Previews of
// faults use it.
import type { JournalEntry } from '../contract/journal.ts'
import type { PastRequest } from '../insight/faults/preview-fault.ts'
import type { Journal } from '../insight/journal/journal.ts'
import type { Recordings } from '../insight/journal/recording/recorder.ts'
import { doorOf } from '../server/fault-gate.ts'
import { routeOf } from '../server/hosts.ts'

export interface PastRequestsDeps {
  readonly journal: Pick<Journal, 'read'>
  readonly recordings: Pick<Recordings, 'findRecording'>
}

/** Entries that faults cannot apply to, such as statements of the Postgres port, are left out: so more entries are read. */
const READ_FACTOR = 5

/** Returns the newest requests that faults can apply to, newest first. */
export function pastRequests(deps: PastRequestsDeps, limit: number): readonly PastRequest[] {
  return deps.journal
    .read({ limit: limit * READ_FACTOR })
    .flatMap((entry) => pastRequest(deps, entry) ?? [])
    .slice(0, limit)
}

function pastRequest(
  { recordings }: PastRequestsDeps,
  entry: JournalEntry,
): PastRequest | undefined {
  const recording = recordings.findRecording(entry.request_id)
  const url = new URL(recording?.url ?? entry.target, 'http://localhost')
  const faced = entry.service === 'postgres' ? undefined : faceOf(url)
  if (faced === undefined) return undefined
  return {
    ...faced,
    requestId: entry.request_id,
    method: entry.method,
    target: url.pathname + url.search,
    headers: recording?.requestHeaders ?? NO_HEADERS,
    schemaName: entry.schema_name ?? undefined,
    role: entry.role ?? undefined,
    subject: entry.subject ?? undefined,
    claims: recording?.claims,
  }
}

const NO_HEADERS = new Headers()

function faceOf({ host, pathname }: URL): Pick<PastRequest, 'door' | 'path'> | undefined {
  // The upgrader serves handshakes, so they do not take the route of a request.
  if (/^\/(realtime\/v1|socket)\/websocket$/.test(pathname))
    return { door: 'socket', path: pathname }
  const route = routeOf(host, pathname)
  if (route.kind !== 'mount') return undefined
  const door = doorOf(route.mount)
  return door && { door, path: route.path }
}
