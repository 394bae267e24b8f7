// Fuzzes request lines of the data plane: valid lines of the grammar, and lines with pieces removed, doubled or replaced.
import fc from 'fast-check'
import { requestLine } from '../../support/request-lines.ts'
import { hostile, WORD } from '../../support/request-words.ts'
import { spoiled } from '../../support/spoiled-lines.ts'
import { REST_QUERY_EXAMPLES } from '../examples/rest-query.ts'
import type { FuzzTarget } from '../target.ts'
import { openRest, type RestCase, type RestIdentity } from './rest.ts'

const decisions = fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 48, size: 'max' })
const identity = fc.constantFrom<RestIdentity>(
  ...(['server', 'server', 'server', 'server', 'user', 'anon', 'nobody'] as const),
)

/** Nested texts: a start, and an opening and a closing part that are repeated. */
const NESTS: readonly (readonly [string, string, string])[] = [
  ['select=', 'a(', ')'],
  ['select=', '...a(', ')'],
  ['select=', 'a:', ''],
  ['select=a', '->b', ''],
  ['a', '->b', ''],
  ['', 'a.', 'order=b'],
  ['or=(', 'and(', ')'],
  ['or=(', 'a.eq.1,not.or(', ')'],
  ['order=', 'a(', ')'],
  ['order=a', '->b', ''],
  ['a=in.', '(', ')'],
  ['a=eq.', '{', '}'],
  ['columns=', '"\\"",', ''],
  ['on_conflict=', 'a,', ''],
  ['limit=', '(', ')'],
]
// Fits into the 64 KB that the head of a request may have.
const MOST_NESTED_BYTES = 40_000
const nested = fc
  .tuple(fc.constantFrom(...NESTS), fc.nat(MOST_NESTED_BYTES), fc.boolean())
  .map(([[start, open, close], wanted, isClosed]) => {
    const depth = Math.min(wanted, Math.floor(MOST_NESTED_BYTES / (open + close).length))
    return start + open.repeat(depth) + (isClosed ? close.repeat(depth) : '')
  })
const path = fc.constantFrom(
  ...[WORD.owners, WORD.pets, WORD.visits].map((table) => `/${encodeURIComponent(hostile(table))}`),
)

const lines = fc.tuple(decisions, identity).map(([all, as]): RestCase => {
  const line = spoiled(requestLine(all, hostile), all.toReversed())
  return {
    as,
    method: line.method,
    target: line.search === '' ? line.path : `${line.path}?${line.search}`,
    headers: Object.entries({ 'content-type': 'application/json', ...line.headers }),
    body: line.body,
  }
})

export const restQuery: FuzzTarget<RestCase> = {
  name: 'rest-query',
  cases: fc.oneof(
    { weight: 30, arbitrary: lines },
    fc.tuple(path, nested, identity).map(([table, search, as]) => ({
      as,
      method: 'GET',
      target: `${table}?${search}`,
      headers: [],
      body: '',
    })),
  ),
  examples: REST_QUERY_EXAMPLES,
  open: openRest,
}
