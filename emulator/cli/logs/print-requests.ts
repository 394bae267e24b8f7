// Prints the selected requests of a running emulator, each with the reason of its refusal.
import type { JournalEntry } from '../../contract/journal.ts'
import { printable } from '../../core/printable.ts'
import { type RunningEmulator, RunningEmulatorError } from '../../http-client/running-emulator.ts'
import { requestLine } from '../request-line.ts'
import { isSelected, type RequestFilter } from './request-filter.ts'

export interface PrintedRequest extends JournalEntry {
  /** E-mail address of the request's user. */
  readonly email: string | null
  /** Why the request was refused; `null` for other requests. */
  readonly reason: string | null
}

export interface PrintOptions {
  readonly filter: RequestFilter
  readonly json: boolean
  readonly print: (line: string) => void
}

/** @throws {RunningEmulatorError} when the emulator does not answer any more */
export async function printRequests(
  emulator: RunningEmulator,
  requests: AsyncIterable<JournalEntry> | Iterable<JournalEntry>,
  { filter, json, print }: PrintOptions,
): Promise<void> {
  const emailOf = rememberEmails(emulator)
  for await (const entry of requests) {
    const email = await emailOf(entry)
    if (!isSelected(filter, entry, email)) continue
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

type EmailOf = (entry: JournalEntry) => Promise<string | undefined>

const MAX_EMAILS = 1_000
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

function rememberEmails(emulator: RunningEmulator): EmailOf {
  const known = new Map<string, Promise<string | undefined>>()
  return ({ schema_name: ref, schema_is_claimed: isClaimed, subject }) => {
    if (ref === null || isClaimed || subject === null || !UUID.test(subject))
      return Promise.resolve(undefined)
    const key = `${ref} ${subject}`
    const params = { ref, id: subject }
    const found =
      known.get(key) ??
      orNothing(emulator.call('GET /projects/:ref/users/:id', { params })).then(
        (user) => user?.email ?? undefined,
      )
    if (known.size >= MAX_EMAILS) known.clear()
    known.set(key, found)
    return found
  }
}

async function orNothing<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RunningEmulatorError && error.code === 'refused') return undefined
    throw error
  }
}
