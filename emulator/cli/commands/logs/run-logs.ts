// Runs `tenantry logs`: prints requests of a running emulator, each with the reason of its refusal.
import type { JournalEntry } from '../../../contract/journal.ts'
import { printable } from '../../../core/printable.ts'
import { reasonOf } from '../../../platform/http-client/live-requests.ts'
import { requestLine } from '../../report.ts'
import { emulatorOf, type RunningOptions } from '../../running-options.ts'
import { terminal } from '../../terminal.ts'
import { followRequests, newestRequests } from './follow-requests.ts'
import type { RequestFilter } from './select-requests.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface LogsOptions extends RunningOptions, RequestFilter {
  readonly last: number
  readonly follow: boolean
}

/** Prints the selected requests until the emulator stops, or without `follow` the newest ones. @throws {EmulatorError} */
export async function runLogs({ follow, json, last, ...options }: LogsOptions): Promise<void> {
  const emulator = emulatorOf(options)
  const read = follow ? followRequests : newestRequests
  for await (const { email, entry } of read(emulator, { filter: options, last })) {
    const reason = entry.status < 400 ? null : await reasonOf(emulator, entry)
    const printed = { ...entry, email: email ?? null, reason }
    terminal().stdout.write(`${json ? JSON.stringify(printed) : lines(printed)}\n`)
  }
  if (follow) terminal().stderr.write('tenantry: The emulator has stopped.\n')
}

interface PrintedRequest extends JournalEntry {
  /** E-mail address of the request's user. */
  readonly email: string | null
  /** Why the request was refused; `null` for other requests. */
  readonly reason: string | null
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
