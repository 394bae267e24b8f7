// Computes facts about one request, once for each entry. The list shows, counts and searches these facts. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'

export const FACETS = ['service', 'status', 'method', 'tenant', 'identity'] as const
export type FacetName = (typeof FACETS)[number]

export interface RequestFacts extends Readonly<Record<FacetName, string>> {
  /** All searchable texts of the request, in lower case. */
  readonly haystack: string
}

/** The list shows this mark for an entry without the value. */
export const NOTHING = '–'

const SERVICE_LABELS: Readonly<Record<string, string>> = {
  data: 'rest',
  control: 'platform',
}

const known = new WeakMap<JournalEntry, RequestFacts>()

export function factsOf(entry: JournalEntry): RequestFacts {
  const before = known.get(entry)
  if (before !== undefined) return before
  const facts = workOut(entry)
  known.set(entry, facts)
  return facts
}

/** Returns the status class, such as `2xx`, or `0` for a request without a response. */
export function statusClassOf(status: number): string {
  return status < 100 ? '0' : `${Math.floor(status / 100)}xx`
}

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

function workOut(entry: JournalEntry): RequestFacts {
  const facts = {
    service: SERVICE_LABELS[entry.service] ?? entry.service,
    status: statusClassOf(entry.status),
    method: entry.method,
    tenant: slugOfSchema(entry.schema_name),
    identity: identityOf(entry),
  }
  const searched = [
    entry.method,
    entry.target,
    decoded(entry.target),
    entry.status,
    facts.service,
    facts.tenant,
    facts.identity,
    entry.request_id,
    entry.group_id,
    entry.error_code,
    entry.error_message,
    entry.statement,
  ]
  return {
    ...facts,
    haystack: searched
      .filter((part) => part !== null)
      .join('\n')
      .toLowerCase(),
  }
}

const HOLDERS: Readonly<Record<string, string>> = {
  sessionToken: 'dashboard',
  groupApiKey: 'group key',
  managementKey: 'management key',
  s3Key: 'S3 key',
}

// Names a user by subject and a key by role, because a key has no subject.
function identityOf({ role, subject, credential_kind: kind }: JournalEntry): string {
  const holder = HOLDERS[kind ?? '']
  if (holder !== undefined) return holder
  if (subject === null || subject.startsWith('apikey:')) return role ?? kind ?? NOTHING
  return subject
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}
