// Finds out from the journal's entry whether a request may have changed rows. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'

const READING = ['GET', 'HEAD', 'OPTIONS']

/** Whether rows of the entry's project may have changed. A refused request changes no rows. */
export function mayWrite({
  method,
  schema_is_claimed: isClaimed,
  schema_name: schema,
  status,
}: Pick<JournalEntry, 'method' | 'schema_is_claimed' | 'schema_name' | 'status'>): boolean {
  return schema !== null && !isClaimed && status < 400 && !READING.includes(method)
}

/** Whether the request wrote through the REST API or with SQL of its own. */
export function wrote({
  service,
  statement,
}: Pick<JournalEntry, 'service' | 'statement'>): boolean {
  return service === 'data' || statement !== null
}
