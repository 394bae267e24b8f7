// Selects requests by the options of `tenantry logs`, and finds the e-mail addresses of their users.
import type { JournalEntry } from '../../../contract/journal.ts'
import { orNothing } from '../../../platform/http-client/live-requests.ts'
import type { RunningEmulator } from '../../../platform/http-client/running-emulator.ts'

/** Options of the command that select requests. An absent option excludes no request. */
export interface RequestFilter {
  readonly refused: boolean
  /** Slug or schema name. */
  readonly tenant: string | undefined
  /** A part of path and query. */
  readonly path: string | undefined
  readonly status: StatusRange | undefined
  /** E-mail address, user id or role. */
  readonly identity: string | undefined
}

export interface StatusRange {
  readonly from: number
  readonly to: number
}

export interface SelectedRequest {
  readonly entry: JournalEntry
  /** E-mail address of the request's user. */
  readonly email: string | undefined
}

/** Returns `undefined` for a request that the options exclude. @throws {RunningEmulatorError} */
export type Select = (entry: JournalEntry) => Promise<SelectedRequest | undefined>

export function createSelect(emulator: RunningEmulator, filter: RequestFilter): Select {
  const emailOf = rememberEmails(emulator)
  return async (entry) => {
    if (!isSelected(filter, entry)) return undefined
    const email = await emailOf(entry)
    return isBy(filter, entry, email) ? { entry, email } : undefined
  }
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

/** Selects by all options except the identity, which `isBy` compares. */
function isSelected(
  { path, refused, status, tenant }: RequestFilter,
  entry: JournalEntry,
): boolean {
  return (
    !entry.is_from_inspector &&
    (!refused || entry.status >= 400) &&
    (tenant === undefined || [tenant, `proj_${tenant}`].includes(entry.schema_name ?? '')) &&
    (path === undefined || entry.target.includes(path)) &&
    (status === undefined || (status.from <= entry.status && entry.status <= status.to))
  )
}

/** @param email the address of the request's user, if the user has one */
function isBy(
  { identity }: RequestFilter,
  { role, subject }: JournalEntry,
  email: string | undefined,
): boolean {
  const wanted = identity?.toLowerCase()
  return (
    wanted === undefined || [role, subject, email].some((name) => name?.toLowerCase() === wanted)
  )
}

/** Conditions of the operation `GET /journal`, as texts. */
export interface JournalQuery {
  readonly from_inspector: 'false'
  readonly refused: 'true' | undefined
  readonly status: string | undefined
}

/** The part of a filter that the journal itself can apply. */
export function journalQueryOf({ refused, status }: RequestFilter): JournalQuery {
  return {
    from_inspector: 'false',
    refused: refused ? 'true' : undefined,
    status: status === undefined ? undefined : textOf(status),
  }
}

function textOf({ from, to }: StatusRange): string {
  return from === to ? String(from) : `${from / 100}xx`
}
