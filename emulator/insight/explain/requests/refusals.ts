// Lists the last refused requests with their reasons, for the home screen (contract/journal.ts).
import type { Refusals } from '../../../contract/journal.ts'
import { adviceOf, type ChainDeps } from './recorded-request.ts'

/** Lists refused requests, newest first. Leaves out those that the inspector's pages sent for themselves. */
export function lastRefusals(
  { journal, recordings }: Pick<ChainDeps, 'journal' | 'recordings'>,
  limit: number,
): Refusals {
  const refused = journal.read({ refused: true, fromInspector: false, limit })
  return {
    refusals: refused.map((entry) => ({
      entry,
      reason:
        adviceOf(entry)?.cause ??
        entry.error_message ??
        `The answer has the status ${entry.status}.`,
      claimed_subject: entry.role === null ? subjectOf(recordings, entry.request_id) : null,
    })),
    refused: journal.facets({ refused: true, fromInspector: false }).total,
    total: journal.facets({ fromInspector: false }).total,
  }
}

function subjectOf(recordings: ChainDeps['recordings'], requestId: string): string | null {
  const subject = recordings.findRecording(requestId)?.claims?.['sub']
  return typeof subject === 'string' ? subject : null
}
