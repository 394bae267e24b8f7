// Words for the parts of a recorded request: tenant, identity and path. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'

/** This mark replaces a missing value. */
export const NOTHING = '–'

/** Returns the slug in a schema name: `aurora` for `proj_aurora`. */
export function slugOfSchema(schemaName: string | null): string {
  return schemaName === null ? NOTHING : schemaName.replace(/^proj_/, '')
}

/** Splits a request target into path and query. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const at = target.indexOf('?')
  return at === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, at), query: target.slice(at) }
}

const HOLDERS: Readonly<Record<string, string>> = {
  sessionToken: 'dashboard',
  groupApiKey: 'group key',
  managementKey: 'management key',
  s3Key: 'S3 key',
}

/** Names a user by subject and a key by role, because a key has no subject. */
export function identityOf(entry: JournalEntry): string {
  const { role, subject, credential_kind: kind } = entry
  if (isUser(entry) && subject !== null) return subject
  return HOLDERS[kind ?? ''] ?? role ?? kind ?? NOTHING
}

/** Whether a user of a tenant sent the request, and not the holder of a key. */
export function isUser({ subject, credential_kind: kind }: JournalEntry): boolean {
  return subject !== null && !subject.startsWith('apikey:') && HOLDERS[kind ?? ''] === undefined
}

/** The largest number of projects whose users' names are loaded. Users of further projects show as ids. */
const MOST_PROJECTS = 12

/** Slugs of tenants whose users sent one of these requests, in the order of the entries. */
export function tenantsOfUsers(entries: readonly JournalEntry[]): readonly string[] {
  const tenants = new Set<string>()
  for (const entry of entries) {
    if (tenants.size >= MOST_PROJECTS) break
    if (isUser(entry) && entry.schema_name !== null) tenants.add(slugOfSchema(entry.schema_name))
  }
  return [...tenants]
}
