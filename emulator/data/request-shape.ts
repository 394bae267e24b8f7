// The shape of a request: the request without the values of its filters. Requests of one shape share plan and statement. Pure.
import type { ApiRequest, Payload } from './request/api-request.ts'
import type { ChosenSchema, RawRequest } from './request/parse-request.ts'
import { decodeText } from './request/query-string.ts'

export interface RequestShape {
  /** Everything except the body that can change plan or statement. */
  readonly key: string
  /** Values of filters and arguments, decoded, in the order they came. */
  readonly values: readonly string[]
  /** The query string with `markOf(n)` in place of the n-th value. */
  readonly markedSearch: string
}

const MARK = '\u{e000}'
const MARK_IN_TEXT = /\u{e000}|%ee%80%80/iu
const LONGEST_KEY = 4_000
const HEADERS = ['accept', 'prefer', 'range', 'content-type'] as const

/** The placeholder of the n-th value. */
export function markOf(index: number): string {
  return `${MARK}${index}${MARK}`
}

/** The request's shape; `undefined` when it is too long to remember. */
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

// Values that the grammar takes unparsed. Every other value is part of the shape.
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

/** The body's part of the shape; `undefined` for bodies other than JSON text. */
export function bodyShapeOf(
  payload: Payload | undefined,
  columns: readonly string[],
): string | undefined {
  if (payload === undefined) return ''
  if (payload.kind !== 'json' && payload.kind !== 'unreadJson') return undefined
  return [payload.kind, startOf(payload.text), ...columns].join('\n')
}

/** The values, followed by the body's text if it has one.  */
export function withBody(
  values: readonly string[],
  payload: Payload | undefined,
): readonly string[] {
  return payload !== undefined && 'text' in payload ? [...values, payload.text] : values
}

/** The request with a mark in place of its body's text. */
export function withMarkedBody(request: ApiRequest, { values }: RequestShape): ApiRequest {
  const { payload } = request
  if (payload === undefined || !('text' in payload)) return request
  const text = startOf(payload.text) + markOf(values.length)
  return { ...request, payload: { ...payload, text } }
}

// An object is one row, a list is several.
function startOf(text: string): string {
  return /[^ \t\r\n]/.exec(text)?.[0] ?? ''
}
