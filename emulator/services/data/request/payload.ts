// Reads the keys of JSON objects in a request body, which the planner needs. Postgres gets the JSON text unchanged (PostgREST,
// "Tables and Views: Insert", "Functions as RPC").
import { isJsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import { isDeeperThan } from '../../../core/json-depth.ts'
import { DataError } from '../errors.ts'
import type { Action, Payload } from './api-request.ts'
import { parseCsv } from './csv.ts'
import { type MediaType, nameOf } from './media-type.ts'
import { decodeParameters } from './query-string.ts'

export interface ReadPayload {
  readonly payload: Payload | undefined
  /** The payload's columns or parameters, sorted. */
  readonly columns: readonly string[]
}

/**
 * Maximum nesting depth of a JSON body. Postgres's JSON parser recurses without checking its stack. A million levels crash the
 * embedded engine instead of raising 54001. The engine can parse five times this limit (measured).
 */
const MAX_NESTING = 50_000

const NOTHING: ReadPayload = { payload: undefined, columns: [] }
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const strictUtf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/** Whether the action has a body. */
export function takesPayload(action: Action): boolean {
  if (action.kind === 'mutate') return action.mutation !== 'delete'
  return action.kind === 'call' && action.method === 'POST'
}

/**
 * Reads the request body.
 * @param chosen value of the `columns` parameter
 * @throws {DataError} PGRST102
 */
export function readPayload(
  body: Uint8Array,
  media: MediaType,
  action: Action,
  chosen: readonly string[] | undefined,
): ReadPayload {
  if (!takesPayload(action)) return NOTHING
  const isCall = action.kind === 'call'
  const columns = usesColumns(action) ? chosen : undefined
  switch (media.kind) {
    case 'json':
      return readJson(body, isCall, columns)
    case 'csv': {
      const rows = parseCsv(body)
      return withKeys(JSON.stringify(rows), rows, 'All lines must have same number of fields')
    }
    case 'form':
      return readForm(utf8.decode(body), isCall)
    case 'text':
    case 'xml':
    case 'octetStream':
      if (isCall) return { payload: { kind: 'raw', bytes: body }, columns: [] }
      throw notAcceptable(media)
    case 'geojson':
    case 'openapi':
    case 'any':
    case 'strippedArray':
    case 'object':
    case 'plan':
    case 'other':
      throw notAcceptable(media)
    default:
      return media satisfies never
  }
}

function usesColumns(action: Action): boolean {
  if (action.kind === 'call') return true
  return action.kind === 'mutate' && (action.mutation === 'insert' || action.mutation === 'update')
}

function readJson(
  body: Uint8Array,
  isCall: boolean,
  columns: readonly string[] | undefined,
): ReadPayload {
  const text = utf8.decode(body)
  if (isDeeperThan(text, MAX_NESTING))
    throw new DataError('PGRST102', `The body is nested deeper than ${MAX_NESTING} levels`)
  if (columns !== undefined) return { payload: { kind: 'unreadJson', text }, columns }
  if (isCall && text === '') return withKeys('{}', {}, '')
  const json = isUnicode(body, text) ? parseJson(text) : undefined
  if (json === undefined) throw new DataError('PGRST102', 'Empty or invalid json')
  return withKeys(text, json, 'All object keys must match')
}

const REPLACED = '\u{fffd}'
const SURROGATE = /\\\\|\\u(d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|d[89a-f][0-9a-f]{2})/gi
const LONE_SURROGATE_LENGTH = 'd800'.length

// Rejects JSON escapes of an unpaired surrogate: Postgres refuses them, but JavaScript's parser accepts them.
function isUnicode(body: Uint8Array, text: string): boolean {
  if (text.includes(REPLACED) && !isUtf8(body)) return false
  if (!/\\u[dD]/.test(text)) return true
  return [...text.matchAll(SURROGATE)].every(([, units]) => units?.length !== LONE_SURROGATE_LENGTH)
}

function isUtf8(body: Uint8Array): boolean {
  try {
    strictUtf8.decode(body)
    return true
  } catch {
    return false
  }
}

function withKeys(text: string, json: JsonValue, complaint: string): ReadPayload {
  const objects = Array.isArray(json) ? (json as readonly JsonValue[]) : [json]
  const first = objects[0]
  if (!Array.isArray(json) && !isJsonObject(json)) return withJson('[]', [])
  if (first === undefined) return withJson('[]', [])
  if (!isJsonObject(first)) throw new DataError('PGRST102', complaint)
  const keys = Object.keys(first)
  for (const other of objects) if (!hasKeys(other, first, keys.length)) throw mismatch(complaint)
  return withJson(text, keys)
}

function hasKeys(value: JsonValue, model: object, count: number): boolean {
  if (!isJsonObject(value)) return false
  const keys = Object.keys(value)
  return keys.length === count && keys.every((key) => Object.hasOwn(model, key))
}

function mismatch(complaint: string): DataError {
  return new DataError('PGRST102', complaint)
}

function withJson(text: string, keys: readonly string[]): ReadPayload {
  const columns = [...keys].sort()
  return { payload: { kind: 'json', text, keys: columns }, columns }
}

function readForm(text: string, isCall: boolean): ReadPayload {
  const pairs = decodeParameters(text).map(([name, value = '']) => [name, value] as const)
  if (!isCall) {
    const row = Object.fromEntries(pairs)
    return withKeys(JSON.stringify(row), row, '')
  }
  return {
    payload: { kind: 'form', pairs },
    columns: [...new Set(pairs.map(([name]) => name))].sort(),
  }
}

function notAcceptable(media: MediaType): DataError {
  return new DataError('PGRST102', `Content-Type not acceptable: ${nameOf(media)}`)
}
