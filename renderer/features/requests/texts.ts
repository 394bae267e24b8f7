// Texts of the request sheet about parts that the emulator has not recorded. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import type { RequestRecording } from '../../../emulator/contract/recording.ts'

/** Explains why a request has no statement. Only the REST API and `db/exec` record statements. */
export function noStatementText({
  service,
  status,
}: Pick<JournalEntry, 'service' | 'status'>): string {
  if (service !== 'data')
    return 'The emulator records the statements of REST requests and of “db/exec” only. Other requests may run statements that are not recorded.'
  return status >= 400
    ? 'The platform refused the request before it ran a statement.'
    : 'The platform answered the request without a statement of its own.'
}

/** Explains why a request has no stages. Without a recording, it is not known whether its stages were measured. */
export function noStagesText(recording: Pick<RequestRecording, 'stages'> | null): string {
  return recording === null
    ? 'Not available: the emulator keeps stages of the newest requests until it stops, and measures them only while an inspector is open.'
    : 'Not measured: the emulator measures stages while an inspector is open.'
}
