// Parses an HTTP request and its body into an ApiRequest. Pure; throws only DataError.
import type { HeaderReader } from '../../../core/headers.ts'
import { DataError } from '../errors.ts'
import type { DataSettings } from '../settings.ts'
import type { Action, ApiRequest, ChosenSchema, Parsable } from './api-request.ts'
import { parseAccept, parseMediaType } from './media-type.ts'
import { readPayload } from './payload.ts'
import type { Preferences } from './preferences.ts'
import { decodeText, parseQueryString } from './query-string.ts'
import {
  ALL_ROWS,
  intersect,
  isAllRows,
  isEmptyRange,
  isLimitZero,
  NO_ROWS,
  parseRangeHeader,
  type Range,
} from './range.ts'

/** @throws {DataError} PGRST100, 101, 102, 103, 114, 117, 125, 126 */
export function parseRequest(request: Parsable, preferences: Preferences): ApiRequest {
  const { method, path, headers, chosen } = request
  const action = actionOf(method, path, request.settings)
  const takesArguments = action.kind === 'call' && action.method !== 'POST'
  const { query, rootRange } = parseQueryString(request.search, takesArguments)
  const range = topRange(method, headers, rootRange)
  const contentType = parseMediaType(headers.get('content-type') ?? 'application/json')
  const { payload, columns } = readPayload(request.body, contentType, action, query.columns)
  return {
    action,
    method,
    path,
    schema: chosen.schema,
    isNegotiatedByProfile: chosen.isNegotiatedByProfile,
    query,
    range,
    payload,
    columns,
    preferences,
    accepts: parseAccept(headers.get('accept')),
    contentType,
  }
}

/**
 * Chooses the schema of a request (PostgREST, "Schemas"): `Content-Profile` for writes, `Accept-Profile` for reads.
 * @throws {DataError} PGRST106
 */
export function chooseSchema(
  method: string,
  headers: HeaderReader,
  schemas: readonly string[],
): ChosenSchema {
  const profile = headers.get(isWrite(method) ? 'content-profile' : 'accept-profile')
  if (profile === null)
    return { schema: schemas[0] ?? '', isNegotiatedByProfile: schemas.length !== 1 }
  if (schemas.includes(profile)) return { schema: profile, isNegotiatedByProfile: true }
  throw new DataError('PGRST106', `Invalid schema: ${profile}`, {
    hint: `Only the following schemas are exposed: ${schemas.join(', ')}`,
  })
}

/** Whether the schema comes from `Content-Profile`, as for all writes, instead of `Accept-Profile`. */
export function isWrite(method: string): boolean {
  return method === 'POST' || method === 'PATCH' || method === 'PUT' || method === 'DELETE'
}

function actionOf(method: string, path: string, settings: DataSettings): Action {
  const [first, second, ...rest] = segmentsOf(path)
  if (first === undefined) return rootAction(method, settings)
  if (second === undefined) return relationAction(method, first)
  if (first === 'rpc' && rest.length === 0) return routineAction(method, second)
  throw new DataError('PGRST125', 'Invalid path specified in request URL')
}

// A trailing slash adds an empty last segment.
function segmentsOf(path: string): string[] {
  if (path === '' || path === '/') return []
  const segments = path.replace(/^\//, '').split('/')
  return segments.map((segment) => decodeText(segment.replaceAll('+', '%2B')))
}

function rootAction(method: string, settings: DataSettings): Action {
  if (settings.openApiMode === 'disabled')
    throw new DataError('PGRST126', 'Root endpoint metadata is disabled')
  if (settings.rootRoutine !== undefined) return routineAction(method, settings.rootRoutine.name)
  switch (method) {
    case 'GET':
    case 'HEAD':
      return { kind: 'describeSchema', isHead: method === 'HEAD' }
    case 'OPTIONS':
      return { kind: 'schemaInfo' }
    default:
      throw unsupported(method)
  }
}

function relationAction(method: string, relation: string): Action {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return { kind: 'read', relation, isHead: method === 'HEAD' }
    case 'POST':
      return { kind: 'mutate', relation, mutation: 'insert' }
    case 'PUT':
      return { kind: 'mutate', relation, mutation: 'singleUpsert' }
    case 'PATCH':
      return { kind: 'mutate', relation, mutation: 'update' }
    case 'DELETE':
      return { kind: 'mutate', relation, mutation: 'delete' }
    case 'OPTIONS':
      return { kind: 'relationInfo', relation }
    default:
      throw unsupported(method)
  }
}

function routineAction(method: string, routine: string): Action {
  switch (method) {
    case 'GET':
    case 'HEAD':
    case 'POST':
      return { kind: 'call', routine, method }
    case 'OPTIONS':
      return { kind: 'routineInfo', routine }
    default:
      throw new DataError('PGRST101', `Cannot use the ${method} method on RPC`)
  }
}

function unsupported(method: string): DataError {
  return new DataError('PGRST117', `Unsupported HTTP method: ${method}`)
}

// RFC 9110 §14.2: Range applies to GET only.
function topRange(method: string, headers: HeaderReader, rootRange: Range): Range {
  const headerRange = method === 'GET' ? parseRangeHeader(headers.get('range')) : ALL_ROWS
  const both = isLimitZero(rootRange) ? NO_ROWS : intersect(headerRange, rootRange)
  if (isEmptyRange(both) && !isLimitZero(rootRange))
    throw new DataError('PGRST103', 'Requested range not satisfiable', {
      details: isEmptyRange(headerRange)
        ? 'The lower boundary must be lower than or equal to the upper boundary in the Range header.'
        : 'Limit should be greater than or equal to zero.',
    })
  if (method === 'PUT' && !isAllRows(both))
    throw new DataError('PGRST114', 'limit/offset querystring parameters are not allowed for PUT')
  return both
}
