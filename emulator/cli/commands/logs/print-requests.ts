// Prints requests of a running emulator, each with the reason of its refusal.
import type { JournalEntry } from '../../../contract/journal.ts'
import { printable } from '../../../core/printable.ts'
import type { RunningEmulator } from '../../../platform/http-client/running-emulator.ts'
import { requestLine } from '../../request-line.ts'
import { orNothing, type SelectedRequest } from './select-requests.ts'

export interface PrintedRequest extends JournalEntry {
  /** E-mail address of the request's user. */
  readonly email: string | null
  /** Why the request was refused; `null` for other requests. */
  readonly reason: string | null
}

export interface PrintOptions {
  readonly json: boolean
  readonly print: (line: string) => void
}

/** @throws {RunningEmulatorError} when the emulator does not answer any more */
export async function printRequests(
  emulator: RunningEmulator,
  requests: AsyncIterable<SelectedRequest>,
  { json, print }: PrintOptions,
): Promise<void> {
  for await (const { email, entry } of requests) {
    const reason = entry.status < 400 ? null : await reasonOf(emulator, entry)
    const printed = { ...entry, email: email ?? null, reason }
    print(json ? JSON.stringify(printed) : lines(printed))
  }
}

function lines({ reason, ...entry }: PrintedRequest): string {
  const line = requestLine({
    at: entry.received_at,
    status: entry.status,
    durationMillis: Math.round(entry.duration_ms),
    method: entry.method,
    target: entry.target,
    who: [entry.schema_name ?? entry.group_id, entry.email ?? entry.role],
    refusal: entry.error_code,
  })
  return reason === null ? line : `${line}\n    ${printable(reason)}`
}

// The journal may have dropped the request since.
async function reasonOf(emulator: RunningEmulator, entry: JournalEntry): Promise<string | null> {
  const chain = await orNothing(
    emulator.call('GET /journal/:request_id/chain', {
      params: { request_id: entry.request_id },
      query: { as_of: 'refusal' },
    }),
  )
  return chain?.sentence ?? entry.error_message
}
