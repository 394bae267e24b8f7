// Reads the newest requests from the journal and their recordings, and converts them to the form that the fault preview needs.
import type { JournalEntry } from '../../contract/journal.ts'
import type { Journal } from '../journal/journal.ts'
import type { Recordings } from '../journal/recording/recorder.ts'
import type { PastRequest } from './preview-fault.ts'

export interface PastRequestsDeps {
  readonly journal: Pick<Journal, 'read'>
  readonly recordings: Pick<Recordings, 'findRecording'>
  /**
   * Returns the service and the path that a request to the address reaches; `undefined` when no fault can apply to the request.
   */
  readonly facingOf: (url: URL) => Pick<PastRequest, 'door' | 'path'> | undefined
}

/**
 * More entries than `limit` are read, because entries that faults cannot apply to are left out, such as statements of the
 * Postgres port.
 */
const READ_FACTOR = 5

/** Returns the newest requests that faults can apply to, newest first. */
export function pastRequests(deps: PastRequestsDeps, limit: number): readonly PastRequest[] {
  return deps.journal
    .read({ limit: limit * READ_FACTOR })
    .flatMap((entry) => pastRequest(deps, entry) ?? [])
    .slice(0, limit)
}

function pastRequest(
  { facingOf, recordings }: PastRequestsDeps,
  entry: JournalEntry,
): PastRequest | undefined {
  const recording = recordings.findRecording(entry.request_id)
  const url = new URL(recording?.url ?? entry.target, 'http://localhost')
  const faced = entry.service === 'postgres' ? undefined : facingOf(url)
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
