// Makes mistakes in request lines: removes, doubles or inserts a piece, or replaces it by random text.
import type { RequestLine } from './request-lines.ts'

const CRUMBS = [
  ...[
    'select=',
    'order=',
    'or=',
    'and=',
    'limit=',
    'offset=',
    'columns=',
    'on_conflict=',
    '&',
    ';',
  ],
  ...['a', 'b.c', '(', ')', ',', '.', ':', '::', '->', '->>', '!', '...', '"', '\\', '*', '='],
  ...['eq.', 'not.', 'in.(', 'is.', 'like(any).', 'fts(x).', 'count()', '.sum()', '{', '}', '%'],
  ...['%00', '%ff', '%22', '%5c', '%27', '+', "'", '--', '/*', '$1', '$$', '::qz$$', '::$1', ' '],
  ...['1', '-5', '99999999999999999999', '0x10', '\u{1f44d}', '\ud800', '\u2028', 'é', '\u0000'],
]
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'get']
const TYPES = ['text/csv', 'application/x-www-form-urlencoded', 'text/plain', 'x', 'text/csv;;']
const PATHS = ['/', '//', '/rpc', '/rpc/', '/a/b', '/%00', '/%ff', '/"', '/qz00"', '/rpc/qz12\\']

/** Returns a changed request line. Three of eight lines stay unchanged. */
export function spoiled(line: RequestLine, decisions: readonly number[]): RequestLine {
  const [kind = 0, ...rest] = decisions
  switch (kind % 8) {
    case 0:
    case 1:
    case 2:
      return line
    case 3:
      return { ...line, search: rest.map((each) => CRUMBS[each % CRUMBS.length]).join('') }
    case 4:
      return spoiledAround(line, rest)
    default:
      return { ...line, search: edited(line.search, rest) }
  }
}

function edited(text: string, decisions: readonly number[]): string {
  let result = text
  for (let at = 1; at < Math.min(decisions.length, 1 + 3 * 4); at += 3) {
    const [kind = 0, place = 0, what = 0] = decisions.slice(at, at + 3)
    const start = place % (result.length + 1)
    const end = Math.min(result.length, start + 1 + (what % 12))
    const piece = result.slice(start, end)
    const put = [CRUMBS[what % CRUMBS.length] ?? '', '', piece + piece, String.fromCharCode(what)]
    const isInsertion = kind % 4 === 0
    result = result.slice(0, start) + put[kind % 4] + result.slice(isInsertion ? start : end)
  }
  return result
}

function spoiledAround(line: RequestLine, decisions: readonly number[]): RequestLine {
  const [what = 0, how = 0, more = 0] = decisions
  switch (what % 4) {
    case 0:
      return { ...line, method: METHODS[how % METHODS.length] ?? '' }
    case 1:
      return { ...line, path: PATHS[how % PATHS.length] ?? '' }
    case 2:
      return { ...line, body: edited(line.body, decisions) }
    default:
      return {
        ...line,
        headers: { ...line.headers, 'content-type': TYPES[how % TYPES.length] ?? '' },
        body: more % 2 === 0 ? line.body : line.search,
      }
  }
}
