// Fuzzes bodies and headers of the data plane: JSON of any shape and spelling, CSV, forms and bytes with any content type. Also
// fuzzes headers that PostgREST reads.
import fc from 'fast-check'
import { hostile, WORD } from '../../support/request-words.ts'
import { REST_BODY_EXAMPLES } from '../examples/rest-body.ts'
import type { FuzzTarget } from '../target.ts'
import { openRest, type RestCase } from './rest.ts'

const COLUMN_WORDS = [WORD.key, WORD.name, WORD.data, WORD.text, WORD.owner, WORD.visit].map(
  hostile,
)

const path = fc.constantFrom(
  ...[WORD.owners, WORD.pets, WORD.pairs, WORD.owners, WORD.visits, WORD.owners].map(
    (table) => `/${encodeURIComponent(hostile(table))}`,
  ),
  ...[WORD.whole, WORD.add, WORD.ping, WORD.many].map(
    (routine) => `/rpc/${encodeURIComponent(hostile(routine))}`,
  ),
)
const search = fc.constantFrom(
  '',
  '',
  `?select=${encodeURIComponent(`"${hostile(WORD.key).replace(/[\\"]/g, '\\$&')}"`)}`,
  '?columns=a',
  '?select=*&limit=1',
  '?on_conflict=a',
)
const column = fc.oneof(fc.constantFrom(...COLUMN_WORDS), fc.string({ maxLength: 4 }))
const oddNumber = fc.constantFrom('1e400', '-0', '1E-999', '00', '0x1', '9'.repeat(400), '-', '1.')
const oddText = fc.constantFrom(
  ...['"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\x"', '"\t"', "'a'", '"\u2028"', 'NaN'],
  ...['{}{}', '[],', '{"a":1,"a":2}', '{"__proto__":1}', '{"constructor":{}}', '"', '\ufeff[]'],
)
const deep = fc
  .tuple(fc.constantFrom('[', '{"a":', '[{"b":['), fc.nat(3_000), fc.boolean())
  .map(([open, depth, isClosed]) => {
    const close = { '[': ']', '{"a":': '}', '[{"b":[': ']}]' }[open] ?? ''
    return open.repeat(depth) + (isClosed ? `1${close.repeat(depth)}` : '')
  })
const row = fc.dictionary(column, fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.double()), {
  maxKeys: 4,
  noNullPrototype: true,
})
const json = fc.oneof(
  fc.array(row, { maxLength: 4 }).map((rows) => JSON.stringify(rows)),
  row.map((one) => JSON.stringify(one)),
  fc.json({ maxDepth: 4 }),
  oddText,
  oddNumber,
  oddNumber.map((number) => `[{"${WORD.key}":${number}}]`),
  deep,
)
const csvCell = fc.oneof(
  fc.constantFrom(...COLUMN_WORDS.map((word) => `"${word.replaceAll('"', '""')}"`)),
  fc.constantFrom('NULL', '""', '"', '1', '"a\nb"', '\r', '', ',,'),
  fc.string({ unit: 'binary', maxLength: 3 }),
)
const csv = fc
  .array(fc.array(csvCell, { maxLength: 4 }), { maxLength: 4 })
  .map((lines) => lines.map((cells) => cells.join(',')).join('\n'))
const form = fc
  .array(fc.tuple(column, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 4 })
  .map((pairs) =>
    pairs
      .map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('='))
      .join('&'),
  )
const body = fc.oneof(
  { weight: 4, arbitrary: json },
  csv,
  form,
  fc.string({ unit: 'binary', maxLength: 60 }),
)
const type = fc.constantFrom(
  ...['application/json', 'application/json', 'text/csv', 'application/x-www-form-urlencoded'],
  ...['application/octet-stream', 'text/plain', 'text/xml', 'application/json;charset=latin1', ';'],
  'application/vnd.pgrst.array+json',
)
const crumb = fc.constantFrom(
  ...[
    'return=representation',
    'return=headers-only',
    'count=exact',
    'count=estimated',
    'tx=rollback',
  ],
  ...['resolution=merge-duplicates', 'missing=default', 'handling=strict', 'max-affected=0', ', '],
  ...['application/vnd.pgrst.object+json', 'application/vnd.pgrst.plan', 'text/csv', '*/*', ';q=2'],
  ...['0-0', '-', 'items=', '9'.repeat(30), '=', '"', ';', '\u00e9', 'proj_target', 'proj_canary'],
  ...['gzip', 'bytes', 'W/', 'chunked', 'timezone=', 'Europe/Berlin', 'params=single-object'],
)
const header = fc.tuple(
  fc.constantFrom(
    ...['prefer', 'accept', 'range', 'range-unit', 'accept-profile', 'content-profile', 'origin'],
    ...[
      'if-match',
      'if-none-match',
      'content-encoding',
      'accept-encoding',
      'x-http-method-override',
    ],
    ...[
      'x-request-id',
      'cookie',
      'forwarded',
      'x-forwarded-host',
      'accept-language',
      'content-range',
    ],
  ),
  fc.array(crumb, { maxLength: 4 }).map((crumbs) => crumbs.join('')),
)

export const restBody: FuzzTarget<RestCase> = {
  name: 'rest-body',
  cases: fc.record({
    as: fc.constantFrom('server', 'server', 'server', 'server', 'user', 'anon', 'nobody'),
    method: fc.constantFrom(
      'POST',
      'POST',
      'POST',
      'POST',
      'PATCH',
      'PUT',
      'DELETE',
      'GET',
      'OPTIONS',
    ),
    target: fc.tuple(path, search).map((parts) => parts.join('')),
    headers: fc
      .tuple(type, fc.array(header, { maxLength: 3 }))
      .map(([given, rest]) => [['content-type', given] as const, ...rest]),
    body,
  }),
  examples: REST_BODY_EXAMPLES,
  open: openRest,
}
