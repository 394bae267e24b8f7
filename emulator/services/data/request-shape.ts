// The shape of a request is the request without its filter values. Requests of the same shape share a plan and a statement. Pure.
import type { ApiRequest, Payload } from './request/api-request.ts'
import type { ChosenSchema, RawRequest } from './request/parse-request.ts'
import { decodeText } from './request/query-string.ts'

export interface RequestShape {
  /** Everything that can change the plan or the statement, except the body. */
  readonly key: string
  /** Decoded values of filters and arguments, in the order of the query string. */
  readonly values: readonly string[]
  /** The query string with `markOf(n)` instead of the n-th value. */
  readonly markedSearch: string
}

const MARK = '\u{e000}'
const MARK_IN_TEXT = /\u{e000}|%ee%80%80/iu
const LONGEST_KEY = 4_000
const HEADERS = ['accept', 'prefer', 'range', 'content-type'] as const

/** The placeholder that replaces the n-th value. */
export function markOf(index: number): string {
  return `${MARK}${index}${MARK}`
}

/** Returns the shape of a request, or `undefined` when the query is too long to cache. */
export function shapeOf(raw: RawRequest, chosen: ChosenSchema): RequestShape | undefined {
  const { method, path, search, headers } = raw
  if (search.length > LONGEST_KEY || MARK_IN_TEXT.test(search)) return undefined
  const values: string[] = []
  const [, question = '', query = ''] = /^(\??)(.*)$/s.exec(search) ?? []
  const marked = query.split('&').map((parameter) => withoutValue(parameter, path, values))
  const facts = HEADERS.map((name) => headers.get(name) ?? '')
  const markedSearch = question + marked.join('&')
  const { schema, isNegotiatedByProfile } = chosen
  const key = [method, path, schema, isNegotiatedByProfile, ...facts, markedSearch].join('\n')
  return { key, values, markedSearch }
}

// Filter values that the grammar takes as one literal text. All other values can change the plan, so they are part of the shape.
const WHOLE_VALUE = /^((?:not\.)?(?:eq|neq|gte?|lte?)\.)([^;]*)$/s
const ARGUMENT = /^[^.(;]*$/
const NO_FILTER = /(?:^|\.)(?:order|limit|offset|and|or)$|^(?:select|columns|on_conflict)$/

function withoutValue(parameter: string, path: string, values: string[]): string {
  const equals = parameter.indexOf('=')
  if (equals < 0) return parameter
  const name = parameter.slice(0, equals)
  const value = parameter.slice(equals + 1)
  if (name.includes('%') || NO_FILTER.test(name)) return parameter
  const [, operator, operand] = WHOLE_VALUE.exec(value) ?? []
  if (operator !== undefined && operand !== undefined)
    return `${name}=${operator}${marking(operand, values)}`
  return path.startsWith('/rpc/') && ARGUMENT.test(value) && !value.includes('%')
    ? `${name}=${marking(value, values)}`
    : parameter
}

function marking(value: string, values: string[]): string {
  return encodeURIComponent(markOf(values.push(decodeText(value)) - 1))
}

/** Returns the body's part of the shape, or `undefined` for a body that is not JSON text. */
export function bodyShapeOf(
  payload: Payload | undefined,
  columns: readonly string[],
): string | undefined {
  if (payload === undefined) return ''
  if (payload.kind !== 'json' && payload.kind !== 'unreadJson') return undefined
  return [payload.kind, startOf(payload.text), ...columns].join('\n')
}

/** Appends the body's text, if there is one, to the values. */
export function withBody(
  values: readonly string[],
  payload: Payload | undefined,
): readonly string[] {
  return payload !== undefined && 'text' in payload ? [...values, payload.text] : values
}

/** Replaces the body's text by a placeholder. */
export function withMarkedBody(request: ApiRequest, { values }: RequestShape): ApiRequest {
  const { payload } = request
  if (payload === undefined || !('text' in payload)) return request
  const text = startOf(payload.text) + markOf(values.length)
  return { ...request, payload: { ...payload, text } }
}

// The first character decides the statement: `{` starts one row, and `[` starts a list of rows.
function startOf(text: string): string {
  return /[^ \t\r\n]/.exec(text)?.[0] ?? ''
}
