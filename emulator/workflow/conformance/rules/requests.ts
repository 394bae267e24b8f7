// Requests to each service, as the checks of all pages send them. Pure.

import type { Plane } from '../../traffic/har/har.ts'
import type { TenantAccess } from '../model/check.ts'
import type { Pattern } from '../model/patterns.ts'
import type { WireRequest } from '../model/steps.ts'

/** A UUID that no object has. */
export const NO_ID = '00000000-0000-4000-8000-000000000000'

/** A request to management or a token endpoint. */
export function manage(
  method: string,
  path: string,
  bearer?: string | undefined,
  json?: unknown,
): WireRequest {
  return { plane: 'auth', method, path, bearer, json }
}

/** A request below `/auth/v1` for the users of a tenant. */
export function auth(
  { anonKey }: Pick<TenantAccess, 'anonKey'>,
  method: string,
  path: string,
  json?: unknown,
  bearer?: string,
): WireRequest {
  const headers = { apikey: anonKey }
  return { plane: 'auth', method, path: `/auth/v1${path}`, headers, json, bearer }
}

/** A request to the data plane with both required headers (docs/wire/data-plane.md#gate). */
export function rest(
  { anonKey, schemaName }: TenantAccess,
  method: string,
  path: string,
  bearer: string,
  more: Pick<WireRequest, 'headers' | 'json' | 'body'> = {},
): WireRequest {
  const profile = method === 'GET' || method === 'HEAD' ? 'accept-profile' : 'content-profile'
  const headers = { apikey: anonKey, [profile]: schemaName, ...more.headers }
  return { plane: 'data', method, path, bearer, ...more, headers }
}

/** A request to storage. */
export function store(
  method: string,
  path: string,
  bearer?: string | undefined,
  more: Pick<WireRequest, 'headers' | 'json' | 'body'> = {},
): WireRequest {
  return { plane: 'storage', method, path, bearer, ...more }
}

/** A request without a credential. */
export function bare(plane: Plane, method: string, path: string): WireRequest {
  return { plane, method, path }
}

/** The error body of the data plane (docs/wire/errors.md#data). */
export function dataError(code: Pattern, message: Pattern = /./): Pattern {
  return { code, message }
}

/** The error body of storage (docs/wire/storage.md#errors). @param status the logical status */
export function storageError(
  status: Pattern,
  more: Readonly<Record<string, Pattern>> = {},
): Pattern {
  return { statusCode: status, error: /./, message: /./, code: /./, ...more }
}
