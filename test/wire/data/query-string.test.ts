// Invalid query strings: 400 with the position in the parameter and what was expected there (PostgREST, "API: URL Grammar"; error
// PGRST100).
import { beforeAll, describe, expect, it } from 'vitest'
import { type DataWorld, startDataWorld } from '../../support/data-world.ts'

let world: DataWorld
beforeAll(async () => {
  world = await startDataWorld(
    'create table books (id int primary key, title text, facts jsonb, words tsvector)',
  )
})

const OPERATOR = 'operator (eq, gt, ...)'
const NAME = 'field name (* or [a..z0..9_$])'
const AFTER_FIELD = 'letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input'
const ORDER = '"asc", "desc", "nullsfirst" or "nullslast"'

type Case = readonly [query: string, what: string, column: number, details: string]

const FILTERS: readonly Case[] = [
  ['id=noop.1', 'filter (noop.1)', 1, `unexpected "o" expecting "not" or ${OPERATOR}`],
  ['id=7', 'filter (7)', 1, `unexpected "7" expecting "not" or ${OPERATOR}`],
  ['id=', 'filter ()', 1, `unexpected end of input expecting "not" or ${OPERATOR}`],
  ['id=eq', 'filter (eq)', 3, `unexpected end of input expecting ${OPERATOR}`],
  ['id=eq().1', 'filter (eq().1)', 4, `unexpected ")" expecting ${OPERATOR}`],
  ['id=is(any).null', 'filter (is(any).null)', 3, `unexpected "(" expecting ${OPERATOR}`],
  ['id=in(all).(1)', 'filter (in(all).(1))', 3, `unexpected "(" expecting ${OPERATOR}`],
  ['words=fts().cat', 'filter (fts().cat)', 5, `unexpected ")" expecting ${OPERATOR}`],
  ['id=not.noop.1', 'filter (not.noop.1)', 5, `unexpected "n" expecting ${OPERATOR}`],
  [
    'id=is.maybe',
    'filter (is.maybe)',
    4,
    'unexpected "m" expecting isVal: (null, not_null, true, false, unknown)',
  ],
  ['id=in.1,2', 'filter (in.1,2)', 4, 'unexpected "1" expecting "("'],
  ['id=in.(1', 'filter (in.(1)', 6, 'unexpected end of input expecting "," or ")"'],
  [':x=eq.1', 'tree path (:x)', 1, `unexpected ":" expecting ${NAME}`],
]

const SELECTS: readonly Case[] = [
  [
    'select=id,a(b[])',
    'select parameter (id,a(b[]))',
    7,
    `unexpected '[' expecting ${AFTER_FIELD}`,
  ],
  [
    'select=id::',
    'select parameter (id::)',
    5,
    'unexpected end of input expecting letter or digit',
  ],
  ['select=title!x', 'select parameter (title!x)', 6, `unexpected '!' expecting ${AFTER_FIELD}`],
]

const ORDERS: readonly Case[] = [
  ['order=id.ac', 'order (id.ac)', 4, `unexpected "c" expecting ${ORDER}`],
  ['order=id.up', 'order (id.up)', 4, `unexpected "u" expecting ${ORDER}`],
  [
    'order=id.descc',
    'order (id.descc)',
    8,
    `unexpected 'c' expecting delimiter (.), "," or end of input`,
  ],
  [
    'order=id.asc.nlsfst',
    'order (id.asc.nlsfst)',
    8,
    'unexpected "l" expecting "nullsfirst" or "nullslast"',
  ],
  [
    'order=id.nullslasttt',
    'order (id.nullslasttt)',
    13,
    `unexpected 't' expecting "," or end of input`,
  ],
]

// The position includes the operator, as if the logic tree were written in full.
const LOGIC: readonly Case[] = [
  [
    'or=()',
    'logic tree (())',
    4,
    `unexpected ")" expecting ${NAME}, negation operator (not) or logic operator (and, or)`,
  ],
  ['or=)(', 'logic tree ()()', 3, 'unexpected ")" expecting "("'],
  [
    'or=(id.in.1,2,id.eq.3)',
    'logic tree ((id.in.1,2,id.eq.3))',
    10,
    'unexpected "1" expecting "("',
  ],
  [
    'and=(ord(id.eq.1,id.eq.1),id.eq.2)',
    'logic tree ((ord(id.eq.1,id.eq.1),id.eq.2))',
    7,
    'unexpected "d" expecting "("',
  ],
  [
    'or=(id.eq.1,not.xor(id.eq.2,id.eq.3))',
    'logic tree ((id.eq.1,not.xor(id.eq.2,id.eq.3)))',
    16,
    'unexpected "x" expecting logic operator (and, or)',
  ],
]

describe.each([
  ['filter', FILTERS],
  ['select', SELECTS],
  ['order', ORDERS],
  ['logic', LOGIC],
])('a malformed %s', (_name, cases) => {
  it.each(cases)('is refused with its error position: %s', async (query, what, column, details) => {
    const answer = await world.ask('GET', `/books?${query}`)
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'PGRST100',
        message: `"failed to parse ${what}" (line 1, column ${column})`,
        details,
        hint: null,
      },
    })
    expect(answer.headers.get('proxy-status')).toBe('PostgREST; error=PGRST100')
  })
})

describe('a malformed parameter of a write', () => {
  it.each([
    ['columns=id,,title', 'columns parameter (id,,title)', 4, `unexpected "," expecting ${NAME}`],
    ['columns=', 'columns parameter ()', 1, `unexpected end of input expecting ${NAME}`],
    ['on_conflict=', 'on_conflict parameter ()', 1, `unexpected end of input expecting ${NAME}`],
  ] satisfies readonly Case[])('is refused: %s', async (query, what, column, details) => {
    const answer = await world.ask('POST', `/books?${query}`, { body: [{ id: 1 }] })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'PGRST100',
        message: `"failed to parse ${what}" (line 1, column ${column})`,
        details,
      },
    })
  })

  it('is reported before errors of the table', async () => {
    expect((await world.ask('GET', '/nosuch?id=noop.1')).body.code).toBe('PGRST100')
    expect((await world.ask('GET', '/nosuch?id=eq.1')).body.code).toBe('PGRST205')
  })
})

describe('a query string', () => {
  it.each([
    ['a percent-encoded name', '%69d=eq.1'],
    ['a plus for a space in a value', 'title=eq.two+words'],
    ['an empty value', 'title=eq.'],
    ['a quoted column', '%22title%22=eq.x'],
    ['an ampersand too many', '&id=eq.1&'],
    ['a parameter without a value', 'limit&id=eq.1'],
    ['a limit that is not numeric', 'limit=many'],
  ])('may contain %s', async (_name, query) => {
    expect(await world.ask('GET', `/books?${query}`)).toMatchObject({ status: 200, body: [] })
  })
})
