// Decides which requests `tenantry logs` prints. Pure.
import type { JournalEntry } from '../../contract/journal.ts'

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

export interface StatusRange {
  readonly from: number
  readonly to: number
}

/** @param email the address of the request's user, if it has one */
export function isSelected(
  filter: RequestFilter,
  entry: JournalEntry,
  email: string | undefined,
): boolean {
  const { identity, path, refused, status, tenant } = filter
  return (
    !entry.is_from_inspector &&
    (!refused || entry.status >= 400) &&
    (tenant === undefined || [tenant, `proj_${tenant}`].includes(entry.schema_name ?? '')) &&
    (path === undefined || entry.target.includes(path)) &&
    (status === undefined || (status.from <= entry.status && entry.status <= status.to)) &&
    (identity === undefined || isBy(identity, entry, email))
  )
}

function isBy(identity: string, { role, subject }: JournalEntry, email: string | undefined) {
  const wanted = identity.toLowerCase()
  return [role, subject, email].some((name) => name?.toLowerCase() === wanted)
}
