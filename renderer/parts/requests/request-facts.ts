// Computes facts about one request, once for each entry. The list shows, counts and searches these facts. Pure.
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import { requestRoute } from '../../../emulator/contract/request-route.ts'
import { parseInstant } from '../../api/time.ts'
import { identityOf, NOTHING, slugOfSchema } from './request-words.ts'

export const FACETS = ['service', 'status', 'code', 'method', 'tenant', 'identity'] as const
export type FacetName = (typeof FACETS)[number]

export interface RequestFacts extends Readonly<Record<FacetName, string>> {
  /** Method and path without ids. */
  readonly route: string
  /** All searchable texts of the request, in lower case. */
  readonly haystack: string
  readonly isRefused: boolean
  /** Whether a page of the inspector sent the request. */
  readonly isOwn: boolean
  /** Wall-clock time of arrival in milliseconds since 1970. */
  readonly arrivedAt: number
  /** Platform time of arrival in milliseconds since 1970. */
  readonly receivedAt: number
}

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

function workOut(entry: JournalEntry): RequestFacts {
  const facts = {
    service: SERVICE_LABELS[entry.service] ?? entry.service,
    status: statusClassOf(entry.status),
    code: entry.error_code ?? NOTHING,
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
    entry.fault,
    entry.statement,
  ]
  return {
    ...facts,
    route: requestRoute(entry),
    isRefused: entry.status >= 400,
    isOwn: entry.is_from_inspector || entry.service === 'inspector',
    arrivedAt: parseInstant(entry.arrived_at) ?? 0,
    receivedAt: parseInstant(entry.received_at) ?? 0,
    haystack: searched
      .filter((part) => part !== null)
      .join('\n')
      .toLowerCase(),
  }
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}
