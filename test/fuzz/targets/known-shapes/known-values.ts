// Values and headers of requests. `withValues` changes what the shape of a request leaves out: operands of filters, arguments of
// functions and values of a JSON body.
import type { RequestLine } from '../../../support/request-lines.ts'
import { CSV, OBJECT } from './known-lines.ts'

/** Values of filters, arguments and bodies. */
export const KNOWN_VALUES: readonly string[] = [
  ...['1', '2', '0', '-1', 'one', 'two', 'red', 'a', 'null', 'true', ''],
  ...['1.5', '99999999999', '2024-01-01', 'now', '{"a":1}', '[1,2]', '{1,2}', '{', 'NaN', '(1)'],
  ...[
    "it's",
    '"',
    '\\',
    'a,b',
    'a.b',
    '*',
    '%',
    ' 1',
    '1 ',
    'é\u{1f44d}',
    '\0',
    ';',
    'eq.1',
    '&=+',
  ],
  // The shape memory's own placeholder (shape-memory.ts, `markOf`), and a value that makes the query too long to cache.
  ...['\u{e000}0\u{e000}', '\u{e000}', 'x'.repeat(4_000)],
]

/** Headers that a request sends instead of its line's own. Each is a part of the shape. */
export const KNOWN_HEADERS: readonly RequestLine['headers'][] = [
  ...[
    'return=minimal',
    'return=representation',
    'count=exact',
    'tx=rollback',
    'max-affected=1',
  ].map((prefer) => ({ prefer })),
  { range: '0-0' },
  { range: '1-' },
  { 'accept-profile': 'public', 'content-profile': 'public' },
  { accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
  { 'content-type': 'text/csv' },
  OBJECT,
  CSV,
]

const WHOLE = /^((?:not\.)?(?:eq|neq|gte?|lte?)\.)/
const ANY_OPERATOR = /^((?:not\.)?[a-z]+(?:\(\w+\))?\.)/
const RESERVED = /(?:^|\.)(?:order|limit|offset|and|or)$|^(?:select|columns|on_conflict)$/

/**
 * Returns the line with other values, taken in turn. The shape stays the same unless `isWide` also changes operands that are a
 * part of the shape, such as those of `in` and `is`.
 */
export function withValues(
  line: RequestLine,
  values: readonly string[],
  isWide: boolean,
): RequestLine {
  let next = 0
  const value = (): string => values[next++ % values.length] ?? ''
  const operators = isWide ? ANY_OPERATOR : WHOLE
  const search = line.search
    .split('&')
    .map((parameter) => {
      const [, name = '', given = ''] = /^([^=]*)=(.*)$/s.exec(parameter) ?? []
      const argument = line.path.startsWith('/rpc/') ? '' : undefined
      const operator = operators.exec(given)?.[1] ?? argument
      if (name === '' || operator === undefined || RESERVED.test(name)) return parameter
      const operand = encodeURIComponent(value())
      return `${name}=${operator}${operator.endsWith('in.') ? `(${operand})` : operand}`
    })
    .join('&')
  return { ...line, search, body: bodyWith(line.body, value) }
}

function bodyWith(body: string, value: () => string): string {
  if (!/^[[{]/.test(body)) return body
  return JSON.stringify(
    JSON.parse(body, (_, member) => (typeof member === 'object' ? member : readable(value()))),
  )
}

// A value that is JSON is sent as JSON, so that bodies have numbers, nulls and objects.
function readable(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
