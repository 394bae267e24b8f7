// Decides which requests `tenantry logs` prints. Pure.
import type { JournalEntry } from '../../../contract/journal.ts'

/** Options of the command. An absent option selects every request. */
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

/** Conditions of the operation `GET /journal`, as texts. */
export interface JournalQuery {
  readonly from_inspector: 'false'
  readonly refused: 'true' | undefined
  readonly status: string | undefined
}

export interface StatusRange {
  readonly from: number
  readonly to: number
}

/** Selects by all options but the identity, which `isBy` compares. */
export function isSelected(
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

/** @param email the address of the request's user, if it has one */
export function isBy(
  { identity }: RequestFilter,
  { role, subject }: JournalEntry,
  email: string | undefined,
): boolean {
  const wanted = identity?.toLowerCase()
  return (
    wanted === undefined || [role, subject, email].some((name) => name?.toLowerCase() === wanted)
  )
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
