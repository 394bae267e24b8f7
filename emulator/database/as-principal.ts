// The settings with which a principal's work runs: role and JWT claims. Policies and functions read these settings.
import type { JsonValue } from '../core/json.ts'
import type { Principal } from '../core/principal.ts'
import type { TenantWork } from './engine.ts'
import { quoteIdentifier } from './sql.ts'

/** The isolation levels that are stricter than READ COMMITTED, Postgres's default. */
export type IsolationLevel = 'repeatable read' | 'serializable'

/** Facts of the HTTP request that policies and functions may read (`request.*` settings). */
export interface RequestSettings {
  readonly method: string
  readonly path: string
  /** JSON text of the headers, lower-case names. */
  readonly headers: string
  /** JSON text of the cookies. */
  readonly cookies?: string | undefined
  /** IANA time zone of the header `Prefer: timezone=…`. */
  readonly timeZone?: string | undefined
  /** Replaces the tenant's own search path. */
  readonly searchPath?: string | undefined
  readonly isolation?: IsolationLevel | undefined
  /** Settings of the role (ALTER ROLE … SET). The request's settings override the role's settings. */
  readonly ofRole?: Readonly<Record<string, string>> | undefined
  /** Further settings. The engine applies these settings last, so they override all others. */
  readonly others?: Readonly<Record<string, string>> | undefined
}

/** The search path: the tenant's schema, then the platform's extensions. */
export function searchPathOf(schemaName: string): string {
  return `${quoteIdentifier(schemaName)}, extensions`
}

/** Returns the members of tenant work with which the work runs as the principal, inside the principal's project. */
export function asPrincipal(
  principal: Principal,
  request: RequestSettings,
): Pick<TenantWork, 'actor' | 'settings'> {
  return { actor: principal, settings: principalSettings(principal, request) }
}

/**
 * Returns the settings of a request in the order in which they are set. The isolation level comes first, because Postgres
 * refuses to change it after the first query. The engine switches to the role before it sets these settings (PostgREST,
 * "Transaction-scoped settings").
 */
export function principalSettings(
  principal: Principal,
  request: RequestSettings,
): Record<string, string> {
  return {
    ...(request.isolation === undefined ? {} : { transaction_isolation: request.isolation }),
    search_path: request.searchPath ?? searchPathOf(principal.schemaName),
    ...request.ofRole,
    role: principal.role,
    ...claimSettings(principal),
    'request.method': request.method,
    'request.path': request.path,
    'request.headers': request.headers,
    'request.cookies': request.cookies ?? '{}',
    ...(request.timeZone === undefined ? {} : { TimeZone: request.timeZone }),
    ...request.others,
  }
}

/** The settings that identify the caller to policies and functions. */
export function claimSettings(principal: Principal): Record<string, string> {
  return { 'request.jwt.claims': principal.claimsText, ...readClaims(principal) }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

// Precomputes the results of auth.uid() and auth.role() for these claims (tenant-schema/cluster/shared/20-auth-functions.sql).
// Postgres itself computes the results when a claim has an unusual type.
function readClaims({ claims, claimsText }: Principal): Record<string, string> {
  const { sub = null, role = null, sdb_role: subscriberRole = null } = claims
  if (![sub, role, subscriberRole].every(isPlain)) return {}
  return {
    'tenantry.claims': claimsText,
    'tenantry.uid': typeof sub === 'string' && UUID.test(sub) ? sub : '',
    'tenantry.role': String(subscriberRole ?? role ?? ''),
  }
}

function isPlain(claim: JsonValue): boolean {
  return claim === null || (typeof claim === 'string' && claim !== '')
}
